// A text with secrets can't be edited as a whole: the page must not have it, and would write the words that replace it.
#include "preview/value_inputs.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "pipeline/layers.h"
#include "secrets/redactor.h"

namespace capwright::preview {
namespace {

bool is_text_of_values(std::string_view path) {
  return path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
}

// Values files and layers are the cluster's own sources below the root; the configuration has the own objects of all
// clusters, and `schemas/` the schema.
bool is_input(std::string_view path) {
  const bool is_inside = !path.starts_with('/') && !path.starts_with("../") && !path.starts_with('<');
  return is_inside && is_text_of_values(path) && path != kConfigName && !path.starts_with("schemas/") &&
         !path.starts_with("clusters/");
}

bool is_encrypted(std::string_view text) {
  return text.starts_with("sops:") || text.find("\nsops:") != std::string_view::npos ||
         text.find("\"sops\":") != std::string_view::npos;
}

std::string redacted_lines(FileId file, const SourceSet& sources, const secrets::Places& places) {
  const std::string_view text = sources.text(file);
  std::string shown;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    shown += places.redact(text.substr(begin, end - begin), file, static_cast<std::uint32_t>(begin));
    if (end < text.size()) shown += '\n';
    begin = end + 1;
  }
  return shown;
}

}  // namespace

nlohmann::ordered_json input_paths(const CompiledCluster& compiled) {
  nlohmann::ordered_json paths = nlohmann::ordered_json::array();
  for (const FileId file : compiled.sources.files()) {
    const std::string path(compiled.sources.path(file));
    const bool is_new = std::find(paths.begin(), paths.end(), path) == paths.end();
    if (is_new && is_input(path)) paths.push_back(path);
  }
  return paths;
}

InputText read_input(const std::string& path, const CompiledCluster& compiled, Repository& repository) {
  InputText input;
  const std::vector<FileId> files = compiled.sources.files();
  const auto file = std::find_if(files.begin(), files.end(),
                                 [&](FileId each) { return is_input(path) && compiled.sources.path(each) == path; });
  const auto text = file == files.end() ? std::nullopt : repository.text(path);
  if (!text) return input;
  input.is_known = true;
  secrets::Redactor redactor = compiled.redactor();
  const secrets::Places places(redactor.places);
  const auto is_here = [&](const std::vector<Span>& spans) {
    return std::any_of(spans.begin(), spans.end(), [&](Span span) { return span.file == *file; });
  };
  const bool is_draft = repository.drafts().contains(path);
  if (is_encrypted(*text)) input.why_fixed = "it is encrypted; edit it with `sops`";
  else if (is_here(redactor.places)) input.why_fixed = "it has secrets, which are redacted here";
  else if (!is_draft && (is_here(redactor.unread) || !compiled.values.is(Kind::Map)))
    input.why_fixed = "the values can't be read, so it may have secrets that aren't recognized";
  input.shown = is_draft && input.why_fixed.empty()
                    ? *text
                    : redactor.all_texts().redact(redacted_lines(*file, compiled.sources, places));
  return input;
}

}  // namespace capwright::preview
