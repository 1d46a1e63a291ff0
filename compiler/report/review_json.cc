// JSON formats of review tools: GitLab's Code Quality and reviewdog's rdjson.
#include <nlohmann/json.hpp>

#include "report/formats.h"
#include "report/region.h"

namespace capwright::report {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& document) { return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string_view gitlab_severity(Severity severity) {
  switch (severity) {
    case Severity::Note: return "info";
    case Severity::Warning: return "minor";
    case Severity::Error: return "major";
  }
  return "major";
}

std::string_view rdjson_severity(Severity severity) {
  switch (severity) {
    case Severity::Note: return "INFO";
    case Severity::Warning: return "WARNING";
    case Severity::Error: return "ERROR";
  }
  return "ERROR";
}

Json position(LineCol at) { return {{"line", at.line}, {"column", at.column}}; }

// In rdjson several suggestions are alternatives, and apply only to the finding's own file.
Json suggestions_of(const Diagnostic& diagnostic, const SourceSet& sources) {
  if (!diagnostic.fix || diagnostic.fix->safety == Safety::DisplayOnly || diagnostic.fix->edits.size() != 1)
    return Json::array();
  const Edit& edit = diagnostic.fix->edits.front();
  const auto region = region_of(edit.where, sources, ColumnUnit::Utf8);
  if (!region || edit.where.file != diagnostic.where.file) return Json::array();
  return Json::array(
      {{{"range", {{"start", position(region->start)}, {"end", position(region->end)}}}, {"text", edit.text}}});
}

}  // namespace

// GitLab rejects the whole report if a path or line is missing, so findings without a file get the repository's root.
std::string as_gitlab(std::span<const Finding> findings, std::string_view folder) {
  Json list = Json::array();
  Fingerprints fingerprints;
  for (const Finding& finding : findings) {
    const Diagnostic& diagnostic = *finding.diagnostic;
    const auto region = region_of(finding, ColumnUnit::CodePoints, folder);
    Json lines = {{"begin", region ? region->start.line : 1}};
    if (region && region->end.line != region->start.line) lines["end"] = region->end.line;
    list.push_back({{"description", one_line(finding)},
                    {"check_name", diagnostic.info->code},
                    {"fingerprint", fingerprints.next(finding)},
                    {"severity", gitlab_severity(diagnostic.severity)},
                    {"location", {{"path", region ? region->path : "."}, {"lines", lines}}}});
  }
  return dump(list);
}

// rdjson counts columns in bytes.
std::string as_rdjson(std::span<const Finding> findings, std::string_view folder) {
  Json list = Json::array();
  for (const Finding& finding : findings) {
    const Diagnostic& diagnostic = *finding.diagnostic;
    Json location = {{"path", "."}};
    if (const auto region = region_of(finding, ColumnUnit::Utf8, folder)) {
      location = {{"path", region->path},
                  {"range", {{"start", position(region->start)}, {"end", position(region->end)}}}};
    }
    list.push_back({{"message", whole_message(finding)},
                    {"location", location},
                    {"severity", rdjson_severity(diagnostic.severity)},
                    {"code", {{"value", diagnostic.info->code}}}});
    if (const Json suggestions = suggestions_of(diagnostic, *finding.sources); !suggestions.empty())
      list.back()["suggestions"] = suggestions;
  }
  return dump({{"source", {{"name", "capwright"}}}, {"diagnostics", list}});
}

}  // namespace capwright::report
