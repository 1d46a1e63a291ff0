// The Sink's bookkeeping and the order in which diagnostics are shown.
#include "diag/diag.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace capwright {

namespace {

// The size of the UTF-8 character that `text` begins with; 0 when it begins with none.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
  if (size == 0 || size > text.size()) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool outside = (lead == 0xed && byte(1) >= 0xa0) || (lead == 0xf4 && byte(1) >= 0x90);
  return overlong || outside ? 0 : size;
}

// A message may quote any input; what is shown, logged and sent on is UTF-8 all the same.
void escape_broken_utf8(std::string& message) {
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t size = character_size(std::string_view(message).substr(at));
    if (size == 0) message.replace(at, 1, fmt::format("\\x{:02x}", static_cast<unsigned char>(message[at])));
    at += size == 0 ? 4 : size;
  }
}

}  // namespace

Diagnostic& Sink::add(const DiagInfo& info, Span where, std::string message) {
  escape_broken_utf8(message);
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
    return std::tuple(sources.path(d->where.file), sources.line_col(d->where.file, 0).line, d->where.begin,
                      d->where.end, d->info->code, std::string_view(d->message));
  };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic* a, const Diagnostic* b) { return key(a) < key(b); });
}

}  // namespace capwright
