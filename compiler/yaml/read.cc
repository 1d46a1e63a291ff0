// The entry points: one document, a stream, YAML inside a value, YAML that a template produced.
#include "yaml/read.h"

#include <utility>

#include "diag/catalog/text.h"
#include "yaml/build.h"

namespace capwright {
namespace {

using yaml::Builder;
using yaml::Places;
using yaml::Reading;

ReadOptions settled(ReadOptions options, std::string_view path) {
  if (options.syntax == TextSyntax::ByName) {
    options.syntax = path.ends_with(".json") ? TextSyntax::Json : TextSyntax::Yaml;
  }
  return options;
}

Value read_one(Reading& reading) {
  const std::size_t errors = reading.stage.sink.error_count();
  Builder builder(reading);
  const auto document = builder.next_document();
  if (builder.stopped()) return Value::error();
  if (!document) return Value::null().with_origin(reading.origin(0, 0));
  if (const auto second = builder.next_start()) {
    reading.stage.sink.report(diag::several_documents, *second)
        .note("`---` starts another document")
        .advise("remove the line, or move the second document to another file");
  }
  return reading.stage.sink.error_count() == errors ? document->value : Value::error();
}

std::vector<YamlDocument> read_all(Reading& reading) {
  Builder builder(reading);
  std::vector<YamlDocument> documents;
  while (auto document = builder.next_document()) documents.push_back(std::move(*document));
  return documents;
}

yaml::Places places_inside(const Value& text, const Stage& stage) {
  const Origin& origin = stage.origins[text.origin()];
  const bool written = origin.kind == Origin::Kind::Input || origin.kind == Origin::Kind::SchemaDefault;
  auto runs =
      written ? yaml::map_scalar(stage.sources, origin.span, text.style(), text.text()) : std::vector<yaml::Run>();
  return runs.empty() ? Places::all_at(origin.span) : Places::inside(origin.span.file, std::move(runs));
}

Reading reading_inside(const Value& text, Stage& stage, const ReadOptions& options) {
  return {text.text(), places_inside(text, stage), stage, settled(options, ""), text.origin()};
}

}  // namespace

Value read_yaml(FileId file, Stage& stage, const ReadOptions& options) {
  Reading reading{stage.sources.text(file), Places::of_file(file), stage, settled(options, stage.sources.path(file))};
  return read_one(reading);
}

std::vector<YamlDocument> read_yaml_documents(FileId file, Stage& stage, const ReadOptions& options) {
  Reading reading{stage.sources.text(file), Places::of_file(file), stage, settled(options, stage.sources.path(file))};
  return read_all(reading);
}

Value read_yaml_inside(const Value& text, Stage& stage, const ReadOptions& options) {
  Reading reading = reading_inside(text, stage, options);
  return read_one(reading);
}

std::vector<YamlDocument> read_yaml_documents_inside(const Value& text, Stage& stage, const ReadOptions& options) {
  Reading reading = reading_inside(text, stage, options);
  return read_all(reading);
}

Span span_inside(const Value& text, std::uint32_t begin, std::uint32_t end, const Stage& stage) {
  return places_inside(text, stage).span(begin, end);
}

Value read_yaml_text(std::string_view text, Span where, OriginId maker, Stage& stage, const ReadOptions& options) {
  Reading reading{stage.arena.text(text), Places::all_at(where), stage, settled(options, ""), maker};
  return read_one(reading);
}

Value read_yaml_printed(const Value& text, Span where, Stage& stage, const ReadOptions& options) {
  Reading reading{text.text(), Places::all_at(where), stage, settled(options, ""), text.origin()};
  if (const TextMap* map = text.text_rep()->map; map != nullptr) reading.segments = map->segments;
  return read_one(reading);
}

}  // namespace capwright
