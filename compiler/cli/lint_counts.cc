// Counts by severity and by code.
#include "cli/lint_counts.h"

#include <algorithm>
#include <fmt/format.h>

#include "cli/console.h"
#include "report/json.h"
#include "report/text.h"

namespace capwright::cli {

LintCounts::LintCounts(const report::Findings& findings) : has_outside_fault_(findings.has_outside_fault()) {
  for (const report::Finding& finding : findings.all())
    add(*finding.diagnostic, std::max<std::size_t>(finding.clusters.size(), 1));
}

std::size_t LintCounts::add(const Diagnostic& diagnostic, std::size_t times) {
  ++severities_[static_cast<std::size_t>(diagnostic.severity)];
  OfCode& code = codes_[diagnostic.info->code];
  code.name = diagnostic.info->name;
  return code.count += times;
}

std::vector<std::pair<std::string_view, std::size_t>> LintCounts::codes() const {
  std::vector<std::pair<std::string_view, std::size_t>> codes;
  for (const auto& [code, counted] : codes_) codes.emplace_back(code, counted.count);
  return codes;
}

std::string LintCounts::statistics(Format form) const {
  std::vector<report::CodeCount> rows;
  for (const auto& [code, counted] : codes_) {
    std::string name(counted.name);
    std::replace(name.begin(), name.end(), '_', '-');
    rows.push_back({code, std::move(name), counted.count});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  if (form == Format::Json) return report::as_json(rows);
  std::string text;
  for (const report::CodeCount& row : rows) text += fmt::format("{:>6}  {:<6}  {}\n", row.count, row.code, row.name);
  return text;
}

std::string LintCounts::found() const {
  const std::size_t notes = count(Severity::Note);
  std::string text = report::summary(count(Severity::Error), count(Severity::Warning));
  if (notes != 0) text += fmt::format("{}{} note{}", text.empty() ? "" : ", ", notes, notes == 1 ? "" : "s");
  return text;
}

// No findings about objects that couldn't be checked doesn't mean that they are valid.
std::string LintCounts::unjudged() const {
  const std::size_t objects = unknown_kinds_.objects;
  if (objects == 0) return {};
  const auto& names = unknown_kinds_.names;
  std::string named = names.empty() ? "" : fmt::format(": {}", fmt::join(names, ", "));
  if (unknown_kinds_.has_more_names) named += " and others";
  return objects == 1 ? fmt::format("; 1 object has a kind without a known schema{}", named)
                      : fmt::format("; {} objects have kinds without a known schema{}", objects, named);
}

std::string LintCounts::summary(std::string_view looked_at) const {
  const std::string text = found();
  return (text.empty() ? fmt::format("no findings in {}", looked_at) : text) + unjudged();
}

std::string LintCounts::summary_of_stream(std::size_t documents) const {
  const std::string text = found();
  return fmt::format("{} in {} document{}{}", text.empty() ? "no findings" : text, documents, documents == 1 ? "" : "s",
                     unjudged());
}

int LintCounts::exit_code(const LintOptions& options) const {
  if (has_outside_fault_) return kUsageError;
  std::size_t counted = count(Severity::Error);
  if (options.fail_level <= Severity::Warning) counted += count(Severity::Warning);
  if (options.fail_level <= Severity::Note) counted += count(Severity::Note);
  return counted != 0 && !options.exit_zero ? kFindings : kClean;
}

}  // namespace capwright::cli
