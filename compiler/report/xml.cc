// JUnit and Checkstyle, the two formats in XML 1.0.

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "report/formats.h"
#include "report/region.h"

namespace capwright::report {
namespace {

// Groups findings by file; those without a file are under the program's name.
std::map<std::string, std::vector<const Finding*>> by_file(std::span<const Finding> findings, std::string_view folder) {
  std::map<std::string, std::vector<const Finding*>> files;
  for (const Finding& finding : findings) {
    const auto region = region_of(finding, ColumnUnit::CodePoints, folder);
    files[region ? printable(region->path) : "capwright"].push_back(&finding);
  }
  return files;
}

// A note is only information: its test passes.
bool is_failure(const Finding& finding) { return finding.diagnostic->severity != Severity::Note; }

std::size_t failures_in(std::span<const Finding* const> findings) {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [](const Finding* one) { return is_failure(*one); }));
}

std::string junit_case(const std::string& file, const Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  const auto region = region_of(finding, ColumnUnit::CodePoints);
  const std::string at = region ? fmt::format(":{}:{}", region->start.line, region->start.column) : "";
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{} {}{}\">\n", xml_escaped(file),
                                       diagnostic.info->code, rule_name(*diagnostic.info), at);
  const std::string message = xml_escaped(whole_message(finding));
  if (!is_failure(finding)) return fmt::format("{}      <system-out>{}</system-out>\n    </testcase>\n", head, message);
  return fmt::format("{}      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n", head,
                     severity_name(diagnostic.severity), xml_escaped(one_line(finding)), message);
}

constexpr std::string_view kPassed = "passed", kSkipped = "skipped";

struct Suite {
  std::string name;
  std::size_t tests = 0, failures = 0, skipped = 0;
  std::string cases;
};

void add_case(const RunCase& one, Suite& suite) {
  const std::string text = xml_escaped(printable(one.text));
  std::string content;
  if (one.result == kSkipped) content = fmt::format("<skipped message=\"{}\"/>", text);
  else if (one.result != kPassed) content = fmt::format("<failure type=\"{}\" message=\"{}\"/>", one.result, text);
  else if (!text.empty()) content = fmt::format("<system-out>{}</system-out>", text);
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_escaped(one.suite),
                                       xml_escaped(printable(one.name)));
  suite.cases += content.empty() ? head + "/>\n" : fmt::format("{}>\n      {}\n    </testcase>\n", head, content);
  ++suite.tests;
  if (one.result == kSkipped) ++suite.skipped;
  else if (one.result != kPassed) ++suite.failures;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
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

std::string as_junit(std::span<const Finding> findings, std::string_view folder) {
  if (findings.empty())
    return as_junit(findings, folder, std::vector<RunCase>{{"capwright", "no findings", kPassed, ""}});
  return as_junit(findings, folder, {});
}

std::string as_junit(std::span<const Finding> findings, std::string_view folder, std::span<const RunCase> cases) {
  std::vector<Suite> suites;
  for (const RunCase& one : cases) {
    if (suites.empty() || suites.back().name != one.suite) suites.push_back({one.suite, 0, 0, 0, {}});
    add_case(one, suites.back());
  }
  for (const auto& [file, found] : by_file(findings, folder)) {
    suites.push_back({file, found.size(), failures_in(found), 0, {}});
    for (const Finding* finding : found) suites.back().cases += junit_case(file, *finding);
  }
  Suite all;
  for (const Suite& suite : suites) {
    all.tests += suite.tests;
    all.failures += suite.failures;
    all.cases +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\"{}>\n{}  </testsuite>\n",
                    xml_escaped(suite.name), suite.tests, suite.failures,
                    suite.skipped == 0 ? "" : fmt::format(" skipped=\"{}\"", suite.skipped), suite.cases);
  }
  return fmt::format("{}<testsuites name=\"capwright\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}</testsuites>\n",
                     kXmlHead, all.tests, all.failures, all.cases);
}

std::string as_checkstyle(std::span<const Finding> findings, std::string_view folder) {
  std::string text = fmt::format("{}<checkstyle version=\"4.3\">\n", kXmlHead);
  for (const auto& [file, errors] : by_file(findings, folder)) {
    text += fmt::format("  <file name=\"{}\">\n", xml_escaped(file));
    for (const Finding* finding : errors) {
      const Diagnostic& diagnostic = *finding->diagnostic;
      const auto region = region_of(*finding, ColumnUnit::CodePoints);
      const LineCol at = region ? region->start : LineCol();
      const std::string_view level =
          diagnostic.severity == Severity::Note ? "info" : severity_name(diagnostic.severity);
      text +=
          fmt::format("    <error line=\"{}\" column=\"{}\" severity=\"{}\" message=\"{}\" source=\"capwright.{}\"/>\n",
                      at.line, at.column, level, xml_escaped(one_line(*finding)), diagnostic.info->code);
    }
    text += "  </file>\n";
  }
  return text + "</checkstyle>\n";
}

}  // namespace capwright::report
