// The report of kubeconform (https://github.com/yannh/kubeconform), since 0.6 with `validationErrors`.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "remap/foreign_finding.h"
#include "remap/json_report.h"

namespace capwright::remap {
namespace {

using Json = nlohmann::json;

// "/spec/pools/0/a~1b" (RFC 6901).
std::vector<std::string> steps_of(std::string_view pointer) {
  std::vector<std::string> steps;
  while (pointer.starts_with('/')) {
    pointer.remove_prefix(1);
    const std::string_view raw = pointer.substr(0, pointer.find('/'));
    std::string step;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const bool is_escape = raw[i] == '~' && i + 1 < raw.size() && (raw[i + 1] == '0' || raw[i + 1] == '1');
      if (is_escape) step += raw[++i] == '0' ? '~' : '/';
      else step += raw[i];
    }
    steps.push_back(std::move(step));
    pointer.remove_prefix(raw.size());
  }
  return steps;
}

// The first key in "additional properties 'a', 'b' not allowed": the finding is about that key, not the map.
std::string unwanted_key(std::string_view message) {
  constexpr std::string_view kBefore = "additional properties '";
  if (!message.starts_with(kBefore)) return {};
  message.remove_prefix(kBefore.size());
  const std::size_t end = message.find('\'');
  return end == std::string_view::npos ? std::string() : std::string(message.substr(0, end));
}

void add_at(const ForeignFinding& object, std::string_view pointer, std::string message,
            std::vector<ForeignFinding>& findings) {
  ForeignFinding finding = object;
  finding.field = steps_of(pointer);
  if (std::string key = unwanted_key(message); !key.empty()) finding.field.push_back(std::move(key));
  if (!message.empty()) finding.message = std::move(message);
  findings.push_back(std::move(finding));
}

// "… - at '/spec': validation failed   - at '/spec/replicas': got string, want integer": adds the leaves. Line breaks
// and indentation before a `-` have become spaces: a deeper entry is a part of the failed entry above it. Alternatives
// aren't separate errors.
bool add_told(const ForeignFinding& object, std::vector<ForeignFinding>& findings) {
  constexpr std::string_view kMark = "- at '", kGroup = "validation failed";
  const std::string_view message = object.message;
  const std::size_t before = findings.size();
  std::size_t told_at = std::string_view::npos;  // the depth of the last added entry
  for (std::size_t at = message.find(kMark); at != std::string_view::npos && findings.size() <= kMostFindings;) {
    const std::string_view rest = message.substr(at + kMark.size());
    const std::size_t next = rest.find(kMark), quote = rest.find("': ");
    const std::size_t depth = at - (message.find_last_not_of(' ', at == 0 ? 0 : at - 1) + 1);
    at = next == std::string_view::npos ? next : at + kMark.size() + next;
    if (quote == std::string_view::npos || quote > next || depth > told_at) continue;
    std::string_view words = rest.substr(quote + 3, next == std::string_view::npos ? next : next - quote - 3);
    while (words.ends_with(' ')) words.remove_suffix(1);
    told_at = words == kGroup ? std::string_view::npos : depth;
    if (words != kGroup) add_at(object, rest.substr(0, quote), std::string(words), findings);
  }
  return findings.size() != before;
}

void add_resource(const Json& resource, std::vector<ForeignFinding>& findings) {
  const std::string status = text_at(resource, "status");
  if (status != "statusInvalid" && status != "statusError") return;
  ForeignFinding object;
  object.tool = "kubeconform";
  object.rule = status == "statusInvalid" ? "invalid" : "error";
  object.message = text_at(resource, "msg");
  object.path = text_at(resource, "filename");
  object.is_input = object.path == "stdin";
  object.kind = text_at(resource, "kind");
  object.name = text_at(resource, "name");
  // `msg` has all leaves, with parsable paths; `validationErrors` only has entries directly below the root.
  if (add_told(object, findings)) return;
  const Json& errors = at(resource, "validationErrors");
  if (!errors.is_array() || errors.empty()) return findings.push_back(std::move(object));
  for (const Json& error : errors) {
    if (findings.size() > kMostFindings) return;
    add_at(object, text_at(error, "path"), text_at(error, "msg"), findings);
  }
}

}  // namespace

Fault read_kubeconform(std::string_view text, std::vector<ForeignFinding>& findings) {
  Json report;
  if (Fault fault = parse_report(text, report)) return fault;
  if (!report.contains("resources")) return "it has no list `resources`, which `kubeconform -output json` writes";
  const Json& resources = at(report, "resources");
  if (!resources.is_array() && !resources.is_null()) return "its `resources` isn't a list";
  for (const Json& resource : resources) {
    add_resource(resource, findings);
    if (findings.size() > kMostFindings) return fmt::format("it has more than {} findings", kMostFindings);
  }
  return std::nullopt;
}

}  // namespace capwright::remap
