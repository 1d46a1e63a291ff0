// The JSON format of diagnostics. Bytes that aren't UTF-8 are replaced, because a message may quote any input.
#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/region.h"

namespace capwright::report {
namespace {

using Json = nlohmann::ordered_json;

Json place(FileId file, std::uint32_t offset, const SourceSet& sources) {
  const LineCol at = sources.line_col(file, offset);
  return {{"line", at.line}, {"column", at.column}};
}

void add_span(Json& object, Span span, const SourceSet& sources) {
  if (!span.known()) return;
  object["path"] = sources.path(span.file);
  object["start"] = place(span.file, span.begin, sources);
  object["end"] = place(span.file, span.end, sources);
}

Json fix_object(const Fix& fix, const SourceSet& sources) {
  Json json = {{"title", fix.title}, {"safety", fix.safety == Safety::Safe ? "safe" : "unsafe"}};
  for (const Edit& edit : fix.edits) {
    Json entry = {{"text", edit.text}};
    add_span(entry, edit.where, sources);
    json["edits"].push_back(entry);
  }
  return json;
}

}  // namespace

Json finding_json(const Finding& finding) {
  const Diagnostic& diagnostic = *finding.diagnostic;
  const SourceSet& sources = *finding.sources;
  Json json = {{"code", diagnostic.info->code},
               {"name", rule_name(*diagnostic.info)},
               {"severity", severity_name(diagnostic.severity)},
               {"message", diagnostic.message}};
  add_span(json, diagnostic.where, sources);
  if (!diagnostic.label.empty()) json["label"] = diagnostic.label;
  for (const Label& label : diagnostic.labels) {
    Json entry = {{"text", label.text}};
    add_span(entry, label.where, sources);
    json["labels"].push_back(entry);
  }
  for (const TraceFrame& frame : diagnostic.trace) {
    Json entry = {{"what", frame.what}};
    add_span(entry, frame.where, sources);
    json["trace"].push_back(entry);
  }
  if (!diagnostic.notes.empty()) json["notes"] = diagnostic.notes;
  if (diagnostic.help) json["help"] = *diagnostic.help;
  if (!diagnostic.subject.empty()) json["subject"] = diagnostic.subject;
  if (finding.repeats != 0) json["repeats"] = finding.repeats;
  if (!finding.others.empty()) json["others"] = finding.others;
  if (!finding.revision.empty()) json["revision"] = finding.revision;
  if (!finding.clusters.empty()) json["clusters"] = finding.clusters;
  if (diagnostic.fix && diagnostic.fix->safety != Safety::DisplayOnly)
    json["fix"] = fix_object(*diagnostic.fix, sources);
  return json;
}

std::string as_json(std::span<const Finding> findings) {
  Json list = Json::array();
  for (const Finding& finding : findings) list.push_back(finding_json(finding));
  const Json document = {{"version", 1}, {"findings", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_json(const std::vector<CodeCount>& rows) {
  Json list = Json::array();
  for (const CodeCount& row : rows) list.push_back({{"code", row.code}, {"name", row.name}, {"count", row.count}});
  const Json document = {{"version", 1}, {"statistics", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace capwright::report
