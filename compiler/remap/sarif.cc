// SARIF 2.1.0 (OASIS): results with a file and a region. Section numbers refer to the standard.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "remap/foreign_finding.h"
#include "remap/json_report.h"

namespace capwright::remap {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLongestArgument = 200;  // bytes

const Json& item(const Json& list, std::size_t index) {
  static const Json null;
  return list.is_array() && index < list.size() ? list[index] : null;
}

// Decodes %41 to `A`. Invalid escapes are kept.
std::string decoded(std::string_view uri) {
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = uri.data() + i + 1;
    const bool has_digits = uri[i] == '%' && i + 2 < uri.size();
    if (has_digits && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      text += static_cast<char>(byte);
      i += 2;
    } else {
      text += uri[i];
    }
  }
  return text;
}

class Run {
 public:
  explicit Run(const Json& run) : run_(run), driver_(at(at(run, "tool"), "driver")) {
    tool_ = text_at(driver_, "name");
    if (tool_.empty()) tool_ = "sarif";
    if (text_at(run, "columnKind") == "unicodeCodePoints") unit_ = Column::CodePoint;  // 3.14.17
    if (!at(driver_, "rules").is_array()) return;
    for (const Json& rule : at(driver_, "rules")) rules_.try_emplace(text_at(rule, "id"), &rule);
  }

  void add(const Json& result, std::vector<ForeignFinding>& findings) const {
    const std::string kind = text_at(result, "kind");  // 3.27.9
    const bool is_fault = kind.empty() || kind == "fail" || kind == "open" || kind == "review";
    if (!is_fault || is_suppressed(result) || text_at(result, "baselineState") == "absent") return;
    ForeignFinding finding;
    const Json& rule = rule_of(result);
    finding.tool = tool_;
    finding.rule = text_at(result, "ruleId");
    if (finding.rule.empty()) finding.rule = text_at(rule, "id");
    finding.severity = severity_of(result, rule);
    finding.message = message_of(result, rule);
    add_place(item(at(result, "locations"), 0), finding);
    findings.push_back(std::move(finding));
  }

 private:
  // 3.27.7 and 3.52: by index, otherwise by id; null if the report doesn't describe it.
  const Json& rule_of(const Json& result) const {
    static const Json null;
    const bool is_direct = !at(result, "ruleIndex").is_null();
    const Json& index = is_direct ? at(result, "ruleIndex") : at(at(result, "rule"), "index");
    if (index.is_number_unsigned()) return item(at(driver_, "rules"), index.get<std::size_t>());
    const auto found = rules_.find(text_at(result, "ruleId"));
    return found == rules_.end() ? null : *found->second;
  }

  // 3.27.10: the result's level, otherwise its rule's, otherwise `warning`.
  Severity severity_of(const Json& result, const Json& rule) const {
    std::string level = text_at(result, "level");
    if (level.empty()) level = text_at(at(rule, "defaultConfiguration"), "level");
    if (level == "error") return Severity::Error;
    return level == "note" || level == "none" ? Severity::Note : Severity::Warning;
  }

  // 3.11: a text, or the id of one of the rule's texts with placeholders.
  std::string message_of(const Json& result, const Json& rule) const {
    const Json& message = at(result, "message");
    std::string text = text_at(message, "text");
    if (text.empty()) text = text_at(at(at(rule, "messageStrings"), text_at(message, "id").c_str()), "text");
    if (text.empty()) text = text_at(message, "markdown");
    if (text.empty()) text = text_at(at(rule, "shortDescription"), "text");
    return filled(text, at(message, "arguments"));
  }

  // 3.11.5: `{0}` is the first argument; `{{` is a literal brace.
  static std::string filled(const std::string& text, const Json& arguments) {
    if (!arguments.is_array()) return text;
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::string_view next = std::string_view(text).substr(i, 3);
      const bool is_place = next.size() == 3 && next[0] == '{' && next[1] >= '0' && next[1] <= '9' && next[2] == '}';
      const Json& argument = item(arguments, is_place ? static_cast<std::size_t>(next[1] - '0') : arguments.size());
      if (argument.is_string()) {
        out += argument.get_ref<const std::string&>().substr(0, kLongestArgument);
        i += 2;
        continue;
      }
      out += text[i];
      if (next.starts_with("{{") || next.starts_with("}}")) ++i;
    }
    return out;
  }

  // 3.35: an accepted suppression. One that is under review or rejected doesn't suppress.
  static bool is_suppressed(const Json& result) {
    const Json& all = at(result, "suppressions");
    if (!all.is_array()) return false;
    for (const Json& one : all) {
      const std::string status = text_at(one, "status");
      if (status.empty() || status == "accepted") return true;
    }
    return false;
  }

  void add_place(const Json& location, ForeignFinding& finding) const {
    const Json& physical = at(location, "physicalLocation");
    const Json& named = at(physical, "artifactLocation");
    const Json& index = at(named, "index");
    std::string uri = text_at(named, "uri");
    if (uri.empty() && index.is_number_unsigned())
      uri = text_at(at(item(at(run_, "artifacts"), index.get<std::size_t>()), "location"), "uri");
    if (uri.starts_with("file://")) uri.erase(0, std::min(uri.find('/', 7), uri.size()));
    finding.path = decoded(uri);
    const Json& region = at(physical, "region");
    finding.region = {count_at(region, "startLine"), count_at(region, "startColumn"), count_at(region, "endLine"),
                      count_at(region, "endColumn"), unit_};
  }

  const Json& run_;
  const Json& driver_;
  std::map<std::string, const Json*> rules_;
  std::string tool_;
  Column unit_ = Column::Utf16;
};

}  // namespace

Fault read_sarif(std::string_view text, std::vector<ForeignFinding>& findings) {
  Json report;
  if (Fault fault = parse_report(text, report)) return fault;
  const Json& runs = at(report, "runs");
  if (!runs.is_array()) return "it has no list `runs`, which SARIF 2.1.0 requires";
  for (const Json& run : runs) {
    const Run reader(run);
    const Json& results = at(run, "results");
    if (!results.is_array()) continue;  // a run without results may omit it
    for (const Json& result : results) {
      reader.add(result, findings);
      if (findings.size() > kMostFindings) return fmt::format("it has more than {} findings", kMostFindings);
    }
  }
  return std::nullopt;
}

}  // namespace capwright::remap
