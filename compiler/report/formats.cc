// The table of formats, and the simple ones that are lists of lines.
#include "report/formats.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "report/json.h"
#include "report/markdown.h"
#include "report/region.h"
#include "report/text.h"

namespace capwright::report {
namespace {

// For scripts that run in the repository's folder.
std::string json_of_repository(std::span<const Finding> findings, std::string_view) { return as_json(findings); }

constexpr std::array<ReportForm, 8> kForms{{{"checkstyle", as_checkstyle},
                                            {"github", as_github},
                                            {"gitlab", as_gitlab},
                                            {"json", json_of_repository},
                                            {"junit", as_junit},
                                            {"markdown", as_markdown},
                                            {"rdjson", as_rdjson},
                                            {"sarif", as_sarif}}};

// Characters that end the text or a property of a workflow command are written as %XX.
std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) == std::string_view::npos) result += c;
    else result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

std::string_view github_level(Severity severity) {
  return severity == Severity::Note ? "notice" : severity_name(severity);
}

// A table cell is one line, and `|` ends it, also inside code.
std::string cell(std::string_view markdown) {
  std::string result;
  for (const char c : markdown) {
    if (c == '|') result += "\\|";
    else if (c == '\n') result += "<br>";
    else result += c;
  }
  return result;
}

std::string markdown_row(const Finding& finding, std::string_view folder) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  const auto region = region_of(finding, ColumnUnit::CodePoints, folder);
  const std::string place =
      region ? markdown_code(fmt::format("{}:{}", printable(region->path), region->start.line)) : "";
  return fmt::format("| {} | {} `{}` | {} |\n", cell(place), severity_name(diagnostic.severity), diagnostic.info->code,
                     cell(markdown_text(whole_message(finding))));
}

}  // namespace

std::span<const ReportForm> report_forms() { return kForms; }

std::string as_github(std::span<const Finding> findings, std::string_view folder) {
  std::string text;
  for (const Finding& finding : findings) {
    const DiagInfo& info = *finding.diagnostic->info;
    std::string properties = "title=" + escaped(fmt::format("{} {}", info.code, rule_name(info)), "%\r\n:,");
    if (const auto region = region_of(finding, ColumnUnit::CodePoints, folder)) {
      properties = fmt::format("file={},line={},endLine={},", escaped(printable(region->path), "%\r\n:,"),
                               region->start.line, region->end.line) +
                   (region->start.line == region->end.line
                        ? fmt::format("col={},endColumn={},", region->start.column, region->end.column)
                        : "") +
                   properties;
    }
    text += fmt::format("::{} {}::{}\n", github_level(finding.diagnostic->severity), properties,
                        escaped(whole_message(finding), "%\r\n"));
  }
  return text;
}

std::string as_markdown(std::span<const Finding> findings, std::string_view folder) {
  const auto count = [&](Severity severity) {
    return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.diagnostic->severity == severity;
    }));
  };
  if (findings.empty()) return "No findings.\n";
  const std::size_t notes = count(Severity::Note);
  std::string text = summary(count(Severity::Error), count(Severity::Warning));
  if (notes != 0) text += fmt::format("{}{} note{}", text.empty() ? "" : ", ", notes, notes == 1 ? "" : "s");
  text += "\n\n| where | what | message |\n| --- | --- | --- |\n";
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note}) {
    for (const Finding& finding : findings) {
      if (finding.diagnostic->severity == severity) text += markdown_row(finding, folder);
    }
  }
  return text;
}

}  // namespace capwright::report
