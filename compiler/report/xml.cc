// JUnit and Checkstyle, the two forms in XML 1.0.
#include <fmt/format.h>
#include <map>
#include <vector>

#include "report/formats.h"
#include "report/region.h"

namespace capwright::report {
namespace {

constexpr std::string_view kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

// For text and attributes in double quotes. Control characters, which XML can't have, are not in printable text.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\n': result += "&#10;"; break;
      default: result += c;
    }
  }
  return result;
}

// Findings of a file together; those of no file are under the tool's name.
std::map<std::string, std::vector<const Finding*>> by_file(std::span<const Finding> findings) {
  std::map<std::string, std::vector<const Finding*>> files;
  for (const Finding& finding : findings) {
    const auto region = region_of(finding.diagnostic->where, *finding.sources, ColumnUnit::CodePoints);
    files[region ? printable(region->path) : "capwright"].push_back(&finding);
  }
  return files;
}

std::string junit_case(const std::string& file, const Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  const auto region = region_of(diagnostic.where, *finding.sources, ColumnUnit::CodePoints);
  const std::string at = region ? fmt::format(":{}:{}", region->start.line, region->start.column) : "";
  return fmt::format(
      "    <testcase classname=\"{0}\" name=\"{1} {2}{3}\">\n"
      "      <failure type=\"{4}\" message=\"{5}\">{6}</failure>\n"
      "    </testcase>\n",
      escaped(file), diagnostic.info->code, rule_name(*diagnostic.info), at, severity_name(diagnostic.severity),
      escaped(one_line(finding)), escaped(whole_message(finding)));
}

}  // namespace

std::string as_junit(std::span<const Finding> findings) {
  const std::size_t count = findings.size();
  std::string text = fmt::format("{}<testsuites name=\"capwright\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n", kHead,
                                 count == 0 ? 1 : count, count);
  if (count == 0) {
    text +=
        "  <testsuite name=\"capwright\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
        "    <testcase classname=\"capwright\" name=\"no findings\"/>\n"
        "  </testsuite>\n";
  }
  for (const auto& [file, cases] : by_file(findings)) {
    text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n", escaped(file),
                        cases.size(), cases.size());
    for (const Finding* finding : cases) text += junit_case(file, *finding);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

std::string as_checkstyle(std::span<const Finding> findings) {
  std::string text = fmt::format("{}<checkstyle version=\"4.3\">\n", kHead);
  for (const auto& [file, errors] : by_file(findings)) {
    text += fmt::format("  <file name=\"{}\">\n", escaped(file));
    for (const Finding* finding : errors) {
      const Diagnostic& diagnostic = *finding->diagnostic;
      const auto region = region_of(diagnostic.where, *finding->sources, ColumnUnit::CodePoints);
      const LineCol at = region ? region->start : LineCol();
      const std::string_view level =
          diagnostic.severity == Severity::Note ? "info" : severity_name(diagnostic.severity);
      text +=
          fmt::format("    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"capwright.{}\"/>\n",
                      at.line, at.column, level, escaped(one_line(*finding)), diagnostic.info->code);
    }
    text += "  </file>\n";
  }
  return text + "</checkstyle>\n";
}

}  // namespace capwright::report
