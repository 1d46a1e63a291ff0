// Each head has a comment `# FILE:`, so that a stream can be split into the same files again.
#include "workflow/manifest_stream.h"

#include <algorithm>
#include <fmt/format.h>

#include "value/stage.h"
#include "yaml/document_stream.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

constexpr std::string_view kApiVersion = "apiVersion", kKind = "kind";

// Whether a line starts with the key. Almost all objects are written in this way, so few have to be parsed.
bool begins_line(std::string_view text, std::string_view key) {
  const std::string line = fmt::format("\n{}: ", key);
  return text.starts_with(std::string_view(line).substr(1)) || text.find(line) != std::string_view::npos;
}

bool is_text(const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  return value != nullptr && value->is(Kind::String) && !value->text().empty();
}

// The group of kustomizations, which the API server doesn't know.
constexpr std::string_view kKustomize = "kustomize.config.k8s.io/";

struct Verdict {
  bool is_object = false;
  std::string_view why = "it lacks `apiVersion` or `kind`";
  std::string_view lacks = {};
};

Verdict verdict_of(const std::string& text) {
  const bool is_plain = text.find(kKustomize) == std::string::npos;
  if (is_plain && begins_line(text, kApiVersion) && begins_line(text, kKind)) return {true};
  OwnStage own;
  const FileId file = own.sources.add("document", text);
  const auto documents = read_yaml_documents(file, own.stage, {ScalarRules::Kubernetes, TextSyntax::Yaml});
  if (documents.empty() || !documents[0].value.is(Kind::Map)) return {};
  const Value& map = documents[0].value;
  const bool has_version = is_text(map, kApiVersion), has_kind = is_text(map, kKind);
  if (has_version && map.text_at(kApiVersion).starts_with(kKustomize)) return {false, "only kustomize reads it"};
  if (has_version && has_kind) return {true};
  const Value* metadata = map.find("metadata");
  if (metadata == nullptr || !metadata->is(Kind::Map)) return {};
  return {false, {}, has_kind ? kApiVersion : kKind};
}

std::string with_head(const std::string& path, const std::string& text) {
  return fmt::format("{}# FILE: {}\n{}{}", text.starts_with("---") ? "" : "---\n", path, text,
                     text.ends_with('\n') ? "" : "\n");
}

}  // namespace

bool is_manifest(std::string_view path) { return !path.ends_with("/values.yaml"); }

std::string as_stream(const RenderedFile& file) { return with_head(file.path, file.body.text()); }

Objects objects_of(const RenderedFile& file) {
  const std::string& text = file.body.text();
  std::size_t at = 0;
  const auto read = [&](char* buffer, std::size_t size) {
    const std::size_t count = text.copy(buffer, size, at);
    at += count;
    return count;
  };
  yaml::DocumentStream stream(read, text.size());
  Objects objects;
  std::string kept;
  for (yaml::StreamDocument document; stream.next(document);) {
    const Verdict verdict = verdict_of(document.text);
    if (!verdict.lacks.empty() && objects.lacks.empty()) objects.lacks = verdict.lacks;
    if (verdict.is_object) kept += document.text;
    else if (objects.left_out.empty()) objects.left_out = verdict.why;
  }
  if (objects.left_out.empty()) objects.stream = as_stream(file);
  else if (!kept.empty()) objects.stream = with_head(file.path, kept);
  return objects;
}

}  // namespace capwright::workflow
