// A rendered file with its colors, and where a line comes from.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "files/text_diff.h"
#include "pipeline/explain.h"
#include "portal/problem.h"
#include "preview/highlight.h"
#include "preview/preview_call.h"
#include "preview/value_inputs.h"
#include "report/explanation.h"

namespace capwright::preview {
namespace {

constexpr const char* kHidden = "<secret>";  // in place of a text

// The rendered file that the parameter `path` names. Null: `problem` is the response.
const RenderedFile* file_of(const Call& call, const OpenCluster& opened, portal::Response& problem) {
  const std::string path = call.parameter("path");
  const RenderedFile* found = opened.objects == nullptr ? nullptr : opened.compiled->files.find(path);
  if (found == nullptr) problem = refused(404, fmt::format("{} has no file `{}`", opened.compiled->name, path));
  return found;
}

std::uint32_t count_of(const std::string& text) {
  std::uint32_t number = 0;
  for (const char digit : text.substr(0, 9)) {
    if (digit < '0' || digit > '9') return 0;
    number = number * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  return number;
}

// Lines that the file on disk lacks.
Json new_lines(const RenderedFile& file, Repository& repository) {
  Json lines = Json::array();
  const std::string on_disk = repository.text(repository.output_prefix() + file.path).value_or("");
  for (const LineChange& change : line_changes(on_disk, file.body.text())) {
    for (std::uint32_t line = change.new_begin; line < change.new_end; ++line) lines.push_back(line + 1);
  }
  return lines;
}

// Where the page can change the value, and its text there.
void add_source(const ExplainedInput& input, const OpenCluster& opened, Repository& repository, Json& json) {
  if (input.secret || input.is_default || !input.where.known() || SourceSet::is_shared(input.where.file)) return;
  const CompiledCluster& compiled = *opened.compiled;
  const std::string path(compiled.sources.path(input.where.file));
  if (!read_input(path, compiled, repository).is_editable()) return;
  const std::string_view text = compiled.sources.text(input.where);
  if (compiled.redactor().all_texts().redact(text) != text) return;
  json["source"] = {{"path", path}, {"begin", input.where.begin}, {"end", input.where.end}, {"text", text}};
}

}  // namespace

portal::Response file(const Call& call) {
  portal::Response problem;
  const OpenCluster* opened = cluster_of(call, problem);
  const RenderedFile* file = opened == nullptr ? nullptr : file_of(call, *opened, problem);
  if (file == nullptr) return problem;
  return portal::json_response({{"path", call.parameter("path")},
                                {"secret", file->secret},
                                {"new_lines", new_lines(*file, call.repository)},
                                {"lines", highlighted(*file, *opened->compiled, *opened->objects)}});
}

portal::Response explain(const Call& call) {
  portal::Response problem;
  const OpenCluster* opened = cluster_of(call, problem);
  const RenderedFile* file = opened == nullptr ? nullptr : file_of(call, *opened, problem);
  if (file == nullptr) return problem;
  const auto lines = explain_lines(*opened->compiled, *file, count_of(call.parameter("line")));
  if (lines.empty()) return refused(404, "the file has no such line");
  const ExplainedLine& line = lines.front();
  Json document = Json::parse(report::explanation_json(*opened->compiled, call.parameter("path"), lines, 0));
  Json explained = document["lines"][0];
  for (std::size_t i = 0; i < line.pieces.size(); ++i) {
    const ExplainedPiece& piece = line.pieces[i];
    Json& json = explained["pieces"][i];
    const bool hides = hides_bytes(*file, *opened->compiled, *opened->objects, piece.begin, piece.end);
    if (hides) json["text"] = kHidden;
    if (hides) explained["text"] = kHidden;
    json["begin"] = piece.begin - line.begin;
    json["end"] = piece.end - line.begin;
    for (std::size_t j = 0; j < piece.inputs.size() && !hides; ++j)
      add_source(piece.inputs[j], *opened, call.repository, json["inputs"][j]);
  }
  return portal::json_response(explained);
}

}  // namespace capwright::preview
