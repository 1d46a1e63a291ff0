// SARIF 2.1.0: one run with the rules that have findings. Columns are UTF-16 units, which is the format's default.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

#include "embedded/embedded.h"
#include "report/formats.h"
#include "report/region.h"
#include "text/trim.h"

namespace capwright::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

// "undefined_variable" -> "UndefinedVariable", the required form of rule names.
std::string pascal_case(std::string_view name) {
  std::string result;
  bool up = true;
  for (const char c : name) {
    if (c == '_' || c == '-') {
      up = true;
      continue;
    }
    result += up && c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
    up = false;
  }
  return result;
}

// The first sentence or paragraph of a page.
std::string first_words(std::string_view page) {
  std::string text(page.substr(0, std::min(page.find("\n\n"), page.size())));
  for (char& c : text) c = c == '\n' ? ' ' : c;
  const std::size_t end = text.find(". ");
  if (end != std::string::npos) text.resize(end + 1);
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string uri(std::string_view path) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string result;
  for (const char c : path) {
    if (kPlain.find(c) != std::string_view::npos) result += c;
    else result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return result;
}

Json region_object(const Region& region) {
  return {{"startLine", region.start.line},
          {"startColumn", region.start.column},
          {"endLine", region.end.line},
          {"endColumn", region.end.column}};
}

Json physical_location(const Region& region) {
  return {{"artifactLocation", {{"uri", uri(region.path)}, {"uriBaseId", "SRCROOT"}}},
          {"region", region_object(region)}};
}

// Empty if an edit isn't in a file.
Json fixes_of(const Fix& fix, const SourceSet& sources, std::string_view folder) {
  std::map<std::string, Json> replacements;  // by path
  for (const Edit& edit : fix.edits) {
    const auto region = region_of(edit.where, sources, ColumnUnit::Utf16, folder);
    if (!region) return Json::array();
    Json replacement = {{"deletedRegion", region_object(*region)}};
    if (!edit.text.empty()) replacement["insertedContent"] = {{"text", edit.text}};
    replacements[region->path].push_back(replacement);
  }
  Json changes = Json::array();
  for (const auto& [path, list] : replacements)
    changes.push_back({{"artifactLocation", {{"uri", uri(path)}, {"uriBaseId", "SRCROOT"}}}, {"replacements", list}});
  return Json::array({{{"description", {{"text", fix.title}}}, {"artifactChanges", changes}}});
}

class Run {
 public:
  Run(std::span<const Finding> findings, std::string_view folder) : folder_(folder) {
    for (const Finding& finding : findings) results_.push_back(result(finding));
  }

  Json document() {
    Json driver = {{"name", "capwright"}, {"semanticVersion", embedded::version()}, {"rules", rules_}};
    Json run = {
        {"tool", {{"driver", driver}}},
        {"originalUriBaseIds", {{"SRCROOT", {{"description", {{"text", "The top of the Git working tree."}}}}}}},
        {"columnKind", "utf16CodeUnits"},
        {"results", results_}};
    return {{"$schema", kSchema}, {"version", "2.1.0"}, {"runs", Json::array({run})}};
  }

 private:
  Json result(const Finding& finding) {
    const Diagnostic& diagnostic = *finding.diagnostic;
    Json json = {{"ruleId", diagnostic.info->code},
                 {"ruleIndex", rule(*diagnostic.info)},
                 {"level", severity_name(diagnostic.severity)},
                 {"message", {{"text", whole_message(finding)}}},
                 {"locations", Json::array()}};
    const auto region = region_of(finding, ColumnUnit::Utf16, folder_);
    json["locations"].push_back({{"physicalLocation", region ? physical_location(*region) : configuration()}});
    Json related = Json::array();
    for (const Label& label : diagnostic.labels) add_related(label.where, label.text, *finding.sources, related);
    for (const TraceFrame& frame : diagnostic.trace) add_related(frame.where, frame.what, *finding.sources, related);
    if (!related.empty()) json["relatedLocations"] = related;
    if (diagnostic.fix && diagnostic.fix->safety != Safety::DisplayOnly) {
      if (const Json fixes = fixes_of(*diagnostic.fix, *finding.sources, folder_); !fixes.empty())
        json["fixes"] = fixes;
    }
    json["partialFingerprints"] = {{"capwright/v1", fingerprints_.next(finding)}};
    return json;
  }

  // GitHub rejects a file with a result that has no location.
  Json configuration() const {
    return {{"artifactLocation", {{"uri", uri(std::string(folder_) + "capwright.yaml")}, {"uriBaseId", "SRCROOT"}}}};
  }

  void add_related(Span where, const std::string& text, const SourceSet& sources, Json& related) const {
    const auto region = region_of(where, sources, ColumnUnit::Utf16, folder_);
    if (!region) return;
    Json entry = {{"id", related.size()}, {"physicalLocation", physical_location(*region)}};
    if (!text.empty()) entry["message"] = {{"text", printable(text)}};
    related.push_back(entry);
  }

  std::size_t rule(const DiagInfo& info) {
    const auto [known, is_new] = numbers_.try_emplace(info.code, rules_.size());
    if (is_new) {
      const std::string page(trimmed(info.explanation, "\n"));
      rules_.push_back({{"id", info.code},
                        {"name", pascal_case(info.name)},
                        {"shortDescription", {{"text", first_words(page)}}},
                        {"fullDescription", {{"text", first_words(page)}}},
                        {"help", {{"text", page}, {"markdown", page}}},
                        {"defaultConfiguration", {{"level", severity_name(info.severity)}}}});
    }
    return known->second;
  }

  std::string_view folder_;
  Json rules_ = Json::array();
  std::map<std::string_view, std::size_t> numbers_;  // code -> index in rules_
  Json results_ = Json::array();
  Fingerprints fingerprints_;
};

}  // namespace

std::string as_sarif(std::span<const Finding> findings, std::string_view folder) {
  return Run(findings, folder).document().dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::report
