// The Sink's bookkeeping and the order in which diagnostics are shown.
#include "diag/diag.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace capwright {

Diagnostic& Sink::add(const DiagInfo& info, Span where, std::string message) {
  if (info.severity == Severity::Error) ++errors_;
  if (where.known()) {
    for (Diagnostic& known : diagnostics_) {
      if (known.info == &info && known.where == where && known.message == message) {
        ++known.repeats;
        return repeated_ = Diagnostic{};  // what is chained on to a repetition is already there
      }
    }
  }
  Diagnostic& added = diagnostics_.emplace_back();
  added.info = &info;
  added.severity = info.severity;
  added.message = std::move(message);
  added.where = where;
  return added;
}

void sort_for_display(std::vector<const Diagnostic*>& diagnostics, const SourceSet& sources) {
  const auto key = [&](const Diagnostic* d) {
    return std::tuple(sources.path(d->where.file), d->where.begin, d->where.end, d->info->code,
                      std::string_view(d->message));
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic* a, const Diagnostic* b) { return key(a) < key(b); });
}

}  // namespace capwright
