// Parses a cluster's files into objects, and looks them up.
#include "lint/model/cluster.h"

#include <algorithm>

#include "base/check.h"
#include "facts/built_in.h"
#include "files/path_rules.h"
#include "lint/model/input_map.h"
#include "pipeline/reader_gaps.h"
#include "pipeline/removals.h"
#include "secrets/redact.h"
#include "text/base64.h"
#include "yaml/document_stream.h"
#include "yaml/read.h"

namespace capwright::lint {
namespace {

constexpr ReadOptions kAsServer{ScalarRules::Kubernetes, TextSyntax::ByName};

bool is_manifest(std::string_view path) { return has_data_name(path) || path.find('.') == std::string_view::npos; }

// The documents that the compiler parsed, unless it has changed the file since.
const rotation::ReadFile* reading_of(const RenderedFile& file, const rotation::ReadManifests& known,
                                     const SourceSet& sources) {
  for (const rotation::ReadFile& read : known.files) {
    if (sources.path(read.text) != file.path) continue;
    return sources.text(read.text) == file.body.text() ? &read : nullptr;
  }
  return nullptr;
}

constexpr std::string_view kListEnding = "List";

bool is_object_list(const Document& document) {
  return !Node(document)["kind"].text().empty() && listed_items(document.value) != nullptr;
}

}  // namespace

std::string catalogue_date(const Value* kubernetes) {
  if (kubernetes != nullptr) return std::string(kubernetes->find("as_of")->text());
  constexpr std::string_view kKey = "as_of: \"";
  const std::string_view text = built_in_text("schemas/catalogue/addons.yaml");
  const std::size_t at = text.find(kKey);
  CW_CHECK(at != std::string_view::npos, "the catalogue says of which day it is");
  return std::string(text.substr(at + kKey.size(), std::string_view("2026-08-22").size()));
}

Cluster::Cluster(CompiledCluster& compiled, const Context& context)
    : name_(compiled.name),
      compiled_(&compiled),
      context_(context),
      sources_(&compiled.sources),
      sink_(&compiled.sink) {
  values_ = {compiled.values, {}, &compiled.origins, this};
  rotation::ReadManifests known = std::exchange(compiled.manifests, {});
  known_->arena = std::move(known.arena);
  known_->origins = std::move(known.origins);
  for (const RenderedFile& rendered : compiled.files.files()) {
    const rotation::ReadFile* read = reading_of(rendered, known, *sources_);
    if (read != nullptr) {
      add_documents(new_file(rendered.path, read->text, &rendered), read->documents);
      continue;
    }
    const FileId source = sources_->add(rendered.path, rendered.body.text());
    secrets::each_secret(rendered.body, [&](std::uint32_t begin, std::uint32_t end) { redact({source, begin, end}); });
    Sink told;  // a rendered file with invalid YAML was reported when it was rendered
    File& file = new_file(rendered.path, source, &rendered);
    if (is_manifest(file.path)) read_documents(file, source, told);
  }
}

Cluster::Cluster(std::string name, const Context& context)
    : name_(std::move(name)),
      context_(context),
      own_sources_(std::make_unique<SourceSet>()),
      own_sink_(std::make_unique<Sink>()),
      sources_(own_sources_.get()),
      sink_(own_sink_.get()) {}

Cluster::~Cluster() = default;

void Cluster::trace_to(const CommandOutput& output) { inputs_ = std::make_unique<InputMap>(output, *sources_, *this); }

// Manifests have about one key, text, map or list per ten bytes.
void Cluster::expect_manifests(std::size_t bytes) {
  constexpr std::size_t kBytesOfOne = 10;
  known_->origins.expect(bytes / kBytesOfOne);
}

void Cluster::add_manifest(std::string path, std::string text, std::uint32_t first_line, TargetKind target_kind) {
  const FileId source = sources_->add(path, std::move(text), first_line);
  read_manifest(std::move(path), source, target_kind);
}

void Cluster::add_borrowed_manifest(std::string path, std::string_view text, TargetKind target_kind) {
  const FileId source = sources_->add_borrowed(path, text);
  read_manifest(std::move(path), source, target_kind);
}

void Cluster::read_manifest(std::string path, FileId source, TargetKind target_kind) {
  File& file = new_file(path, source, nullptr);
  file.target_kind = target_kind;
  if (target_kind == TargetKind::Found && !is_manifest(path)) return;
  const std::vector<yaml::StreamDocument> objects = yaml::json_objects(sources_->text(source));
  if (objects.empty()) return read_documents(file, source, *sink_);
  const std::uint32_t first_line = sources_->line_col(source, 0).line;
  for (const yaml::StreamDocument& object : objects)
    read_documents(file, sources_->add(path, object.text, first_line + object.first_line - 1), *sink_);
}

File& Cluster::new_file(std::string path, FileId source, const RenderedFile* rendered) {
  File& file = files_.emplace_back();
  file.path = std::move(path);
  file.source = source;
  file.rendered = rendered;
  return file;
}

void Cluster::read_documents(File& file, FileId source, Sink& faults) {
  Stage reading{*sources_, faults, known_->arena, known_->origins, context_.limits};
  const std::size_t errors = faults.error_count();
  const std::vector<YamlDocument> documents = read_yaml_documents(source, reading, kAsServer);
  if (faults.error_count() != errors) {
    // A document with an error may have been parsed in part.
    std::uint32_t first = static_cast<std::uint32_t>(sources_->text(source).size());
    for (const Diagnostic& fault : faults.diagnostics())
      if (fault.where.file == source) first = std::min(first, fault.where.begin);
    std::uint32_t begin = 0;
    for (const YamlDocument& document : documents) {
      if (document.value.is_error() || document.span.end >= first) break;
      begin = document.span.end;
    }
    unread_.push_back({source, begin, static_cast<std::uint32_t>(sources_->text(source).size())});
  }
  add_documents(file, documents);
}

void Cluster::add_documents(File& file, const std::vector<YamlDocument>& documents) {
  for (const YamlDocument& document : documents) {
    if (document.value.is_error() || document.value.is(Kind::Null)) continue;
    add_document(file, {document.value, document.span, &known_->origins, this, &file});
  }
}

// The items of a List, or of any other object with `items`, are applied one by one. The reader limits the nesting of
// Lists and the expansion of aliases.
void Cluster::add_document(File& file, Document document) {
  if (!is_object_list(document)) {
    file.documents.push_back(std::move(document));
    return add_object(file.documents.back());
  }
  for (const Node item : Node(document)["items"].items()) {
    if (item.is(Kind::Null)) continue;
    add_document(file, {completed_item(document, item.value()), item.whole_span(), document.origins, this, &file});
  }
}

// Items without kind and version inherit those of their list, as in Kubernetes clients.
Value Cluster::completed_item(const Document& list, const Value& item) {
  const Node root(list);
  std::string_view kind = root["kind"].text();
  if (kind.ends_with(kListEnding)) kind.remove_suffix(kListEnding.size());
  if (kind.empty() || !item.is(Kind::Map) || item.find("kind") != nullptr || item.find("apiVersion") != nullptr)
    return item;
  std::vector<Entry> entries(item.entries().begin(), item.entries().end());
  if (const Node version = root["apiVersion"])
    entries.push_back({make_key(known_->arena, "apiVersion"), version.value()});
  entries.push_back({make_key(known_->arena, "kind"),
                     Value::string(make_text_view(known_->arena, kind)).with_origin(root["kind"].value().origin())});
  return make_map(known_->arena, entries).with_origin(item.origin());
}

void Cluster::add_object(Document& document) {
  if (Node(document)["kind"].text().empty()) {
    if (compiled_ == nullptr || !is_chart_values(document.file->path)) strays_.push_back(&document);
    return;
  }
  const Object& object = objects_.emplace_back(document);
  document.object = &object;
  if (is_removal(document.value) && !is_ignored_part_of_chart(document.value)) {
    tombstones_.push_back(&object);
    return;
  }
  all_.push_back(&object);
  known_->index.reset();
}

const ObjectIndex& Cluster::index() const {
  look_around();
  if (!known_->index) known_->index.emplace(all_);
  return *known_->index;
}

void Cluster::redact(Span secret) const {
  if (secret.known()) (compiled_ == nullptr ? known_->secrets : compiled_->secrets.places).push_back(secret);
}

void Cluster::allow_word(std::string_view word) const {
  if (compiled_ != nullptr) compiled_->secrets.keys.emplace_back(word);
}

const File* Cluster::file(std::string_view path) const {
  look_around();
  for (const File& file : files_) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

Objects Cluster::of_kind(std::string_view kind) const { return index().of_kind(kind); }

Objects Cluster::named(std::string_view kind, std::string_view space, std::string_view name) const {
  return index().named(kind, space, name);
}

const Object* Cluster::find(std::string_view group, std::string_view kind, std::string_view space,
                            std::string_view name) const {
  for (const Object* object : named(kind, space, name)) {
    if (object->group() == group) return object;
  }
  return nullptr;
}

const Object* Cluster::object_of(const Document& document) const {
  const Document* outermost = &document;
  while (outermost->outer != nullptr) outermost = outermost->outer;
  return outermost->object;
}

// Rendered files repeat the comments of templates, so only values and templates are searched; without them, the
// manifests.
Suppressions& Cluster::read_suppressions() const {
  if (known_->suppressions) return *known_->suppressions;
  Suppressions& found = known_->suppressions.emplace();
  if (compiled_ == nullptr) {
    for (const File& file : files_) found.read(file.source, *sources_);
    if (inputs_ != nullptr) {
      for (const FileId input : inputs_->files()) found.read(input, *sources_);
    }
    return found;
  }
  for (const FileId source : sources_->files()) {
    if (file(sources_->path(source)) == nullptr) found.read(source, *sources_);
  }
  if (compiled_->set != nullptr && !compiled_->set->built_in) {
    for (const FileId source : compiled_->set->sources.files()) found.read(source, *sources_);
  }
  return found;
}

Node Cluster::values() const { return compiled_ == nullptr ? Node() : Node(values_); }

Node Cluster::text_inside(const Node& text, bool base64) const {
  const Value* holder = &text.value();
  const auto [known, is_new] = known_->inside.try_emplace(holder);
  Document& document = known->second;
  if (!is_new) return document.value.is_error() ? Node() : Node(document);
  Stage reading = stage();
  if (base64) {
    const std::optional<std::string> bytes = from_base64(holder->text());
    document.value = bytes
                         ? read_yaml_text(reading.arena.text(*bytes), text.span(), holder->origin(), reading, kAsServer)
                         : Value::error();
  } else {
    document.value = read_yaml_inside(*holder, reading, kAsServer);
  }
  document.span = text.span();
  document.origins = &known_->origins;
  document.cluster = this;
  document.file = text.document()->file;
  document.holder = holder;
  document.outer = text.document();
  return document.value.is_error() ? Node() : Node(document);
}

}  // namespace capwright::lint
