// Makes texts of files and messages printable.
#include "golden/result_formats.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

#include "report/diff_report.h"
#include "report/diff_words.h"
#include "report/formats.h"
#include "report/printable.h"

namespace capwright::golden {
namespace {

using Json = nlohmann::ordered_json;

std::size_t failures_in(std::span<const Outcome> outcomes) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& each) { return !each.faults.empty(); }));
}

std::string indented(std::string_view lines, std::string_view indent) {
  std::string text;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string line = report::printable(lines.substr(at, end - at));
    text += line.empty() ? "\n" : fmt::format("{}{}\n", indent, line);
    at = end + 1;
  }
  return text;
}

std::string faults_text(const Outcome& outcome, bool all_details, std::string_view indent) {
  std::string text;
  for (const Fault& fault : outcome.faults) {
    text += fmt::format("{}{}\n", indent, report::printable(fault.what));
    if (all_details || !fault.grouped) text += indented(fault.details, std::string(indent) + "    ");
  }
  return text;
}

// The differences from the stored trees, each once for all cases that share it.
std::string grouped_text(std::span<const Outcome> outcomes, bool verbose) {
  std::vector<diff::ClusterRecord> records;
  for (const Outcome& outcome : outcomes) {
    if (outcome.record && outcome.record->differs) records.push_back(*outcome.record);
  }
  if (records.empty()) return {};
  const report::FleetDifferences all{records, outcomes.size(), 0, 0, "kept", "rendered", "case"};
  return report::diff_as_text(all, {false, verbose});
}

std::string suite_text(std::string_view set, std::span<const Outcome> outcomes) {
  std::string text = fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n",
                                 report::xml_escaped(report::printable(set)), outcomes.size(), failures_in(outcomes));
  for (const Outcome& outcome : outcomes) {
    const std::string head =
        fmt::format("    <testcase classname=\"golden.{}\" name=\"{}\"", report::xml_escaped(report::printable(set)),
                    report::xml_escaped(report::printable(outcome.name)));
    if (outcome.faults.empty()) {
      text += head + "/>\n";
      continue;
    }
    text += fmt::format("{}>\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n", head,
                        report::xml_escaped(report::printable(outcome.faults.front().what)),
                        report::xml_escaped(faults_text(outcome, true, "")));
  }
  return text + "  </testsuite>\n";
}

}  // namespace

std::string as_text(std::span<const Outcome> outcomes, TextOptions options) {
  std::string text;
  for (const Outcome& outcome : outcomes) {
    const bool failed = !outcome.faults.empty();
    if (!failed && !options.verbose) continue;
    text += fmt::format("{}  {}/{}\n", failed ? "fail" : "ok  ", report::printable(outcome.set),
                        report::printable(outcome.name));
    text += faults_text(outcome, options.verbose, "      ");
  }
  const std::string grouped = grouped_text(outcomes, options.verbose);
  return grouped.empty() ? text : text + "\n" + grouped;
}

std::string as_update_text(std::span<const Outcome> outcomes, TextOptions options) {
  std::string text;
  for (const Outcome& outcome : outcomes) {
    if (outcome.edits.empty()) continue;
    text += fmt::format("updated  {}/{}: {}\n", report::printable(outcome.set), report::printable(outcome.name),
                        report::counted(outcome.edits.size(), "file"));
    for (const FileEdit& edit : outcome.edits) {
      if (options.verbose)
        text += fmt::format("      {}{}\n", report::printable(edit.path), edit.text ? "" : " is gone");
    }
  }
  const std::string grouped = grouped_text(outcomes, options.verbose);
  return grouped.empty() ? text : text + "\n" + grouped;
}

std::string as_json(std::span<const Outcome> outcomes) {
  Json json{{"version", 1}, {"failed", failures_in(outcomes)}, {"cases", Json::array()}};
  for (const Outcome& outcome : outcomes) {
    Json entry{{"set", outcome.set}, {"case", outcome.name}, {"passed", outcome.faults.empty()}};
    entry["faults"] = Json::array();
    for (const Fault& fault : outcome.faults) {
      Json told{{"message", fault.what}};
      if (!fault.details.empty()) told["details"] = fault.details;
      entry["faults"].push_back(std::move(told));
    }
    json["cases"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_junit(std::span<const Outcome> outcomes) {
  std::string text = fmt::format("{}<testsuites name=\"capwright test\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n",
                                 report::kXmlHead, outcomes.size(), failures_in(outcomes));
  for (std::size_t first = 0; first < outcomes.size();) {
    std::size_t end = first;
    while (end < outcomes.size() && outcomes[end].set == outcomes[first].set) ++end;
    text += suite_text(outcomes[first].set, outcomes.subspan(first, end - first));
    first = end;
  }
  return text + "</testsuites>\n";
}

std::string summary(std::span<const Outcome> outcomes) {
  const std::size_t failures = failures_in(outcomes);
  if (failures == 0) return fmt::format("{} passed", report::counted(outcomes.size(), "case"));
  return fmt::format("{} of {} failed", failures, report::counted(outcomes.size(), "case"));
}

}  // namespace capwright::golden
