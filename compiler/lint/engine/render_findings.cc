// Rules check the selection before they run; findings of a render are filtered afterwards.

#include <algorithm>

#include "lint/engine/selection.h"
#include "lint/engine/suppressions.h"

namespace capwright::lint {
namespace {

bool is_ignored_at_place(const Diagnostic& diagnostic, const SourceSet& sources, const Selection& selection) {
  const auto is_there = [&](const Span& place) {
    return place.known() && selection.ignores_at(sources.path(place.file), *diagnostic.info);
  };
  return is_there(diagnostic.where) || std::any_of(diagnostic.labels.begin(), diagnostic.labels.end(),
                                                   [&](const Label& label) { return is_there(label.where); });
}

}  // namespace

void choose(std::vector<Diagnostic>& diagnostics, const SourceSet& sources, const Selection& selection,
            std::string_view values_path) {
  std::erase_if(diagnostics, [&](Diagnostic& diagnostic) {
    const DiagInfo& info = *diagnostic.info;
    if (!is_removable(diagnostic)) return false;
    if (!selection.selects(info) || is_ignored_at_place(diagnostic, sources, selection)) return true;
    if (!values_path.empty() && selection.ignores_at(values_path, info)) return true;
    if (const auto chosen = selection.severity(info)) diagnostic.severity = *chosen;
    return false;
  });
}

std::vector<Diagnostic> findings_of(const TemplateSet& set, const Selection& selection, std::string_view as_of) {
  std::vector<Diagnostic> findings = set.sink.diagnostics();
  choose(findings, set.sources, selection);
  if (findings.empty() || set.built_in) return findings;
  Suppressions(set.sources).apply(findings, set.sources, as_of);
  return findings;
}

}  // namespace capwright::lint
