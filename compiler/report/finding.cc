// One cause, one finding: the same fault of many clusters is told once.
#include "report/finding.h"

#include <algorithm>
#include <fmt/format.h>

#include "diag/catalog.h"

namespace capwright::report {
namespace {

// The line belongs to it: sources of one name need not be one source, such as several `--set`.
std::string identity(const Diagnostic& diagnostic, const SourceSet& sources) {
  const Span& where = diagnostic.where;
  return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", diagnostic.info->code, sources.path(where.file), where.begin, where.end,
                     sources.line_text(where.file, where.begin),
                     diagnostic.pattern.empty() ? diagnostic.message : diagnostic.pattern);
}

}  // namespace

void Findings::add(const std::vector<Diagnostic>& diagnostics, const SourceSet& sources, const SecretSpans* secrets,
                   const std::string& cluster, std::string_view own_file) {
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& diagnostic : diagnostics) sorted.push_back(&diagnostic);
  sort_for_display(sorted, sources);
  for (const Diagnostic* diagnostic : sorted) {
    const auto [known, is_new] = known_.try_emplace(identity(*diagnostic, sources), findings_.size());
    if (is_new) findings_.push_back({diagnostic, &sources, secrets, {}});
    Finding& finding = findings_[known->second];
    const bool placed = diagnostic->where.known() && !own_file.empty();
    finding.elsewhere = placed && sources.path(diagnostic->where.file) != own_file;
    const bool named = !finding.clusters.empty() && finding.clusters.back() == cluster;
    if (!cluster.empty() && !named) finding.clusters.push_back(cluster);
  }
}

std::size_t Findings::count(Severity severity) const {
  return static_cast<std::size_t>(std::count_if(findings_.begin(), findings_.end(), [&](const Finding& finding) {
    return finding.diagnostic->severity == severity;
  }));
}

bool Findings::has_outside_fault() const {
  return std::any_of(findings_.begin(), findings_.end(), [](const Finding& finding) {
    const DiagInfo* info = finding.diagnostic->info;
    const bool about_the_tree = info == &diag::edited_by_hand.info || info == &diag::not_rendered_by_us.info;
    return finding.diagnostic->severity == Severity::Error && info->code.starts_with('G') && !about_the_tree;
  });
}

std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i == 0 ? "" : ", ") + printable(names[i]);
  return names.size() > kShown ? text + ", …" : text;
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::Note: return "note";
    case Severity::Warning: return "warning";
    case Severity::Error: return "error";
  }
  return "error";
}

}  // namespace capwright::report
