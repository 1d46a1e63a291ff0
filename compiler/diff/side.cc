// Files become objects when they are asked for: of a fleet, nearly all files are equal on both sides.
#include "diff/side.h"

#include <algorithm>

#include "base/check.h"
#include "files/path_rules.h"
#include "pipeline/check_yaml.h"
#include "pipeline/reader_gaps.h"
#include "pipeline/removals.h"
#include "pipeline/template_set.h"
#include "rotation/keep.h"
#include "rotation/naming.h"

namespace capwright::diff {
namespace {

constexpr std::string_view kListEnding = "List";

}  // namespace

Side::Side(std::string cluster, const Limits& limits)
    : cluster_(std::move(cluster)), shown_folder_(cluster_ + "/"), limits_(limits) {}

Side::Side(std::unique_ptr<CompiledCluster> compiled, const Limits& limits)
    : cluster_(compiled->name),
      shown_folder_(compiled->files.directory()),
      compiled_(std::move(compiled)),
      limits_(limits) {
  for (const RenderedFile& file : compiled_->files.files()) {
    SideFile& added = files_.emplace_back();
    added.path = compiled_->files.path_in_cluster(file);
    added.rendered = &file;
    added.secret = file.secret;
  }
  const bool has_names = compiled_->set != nullptr && !compiled_->set->plain && compiled_->values.is(Kind::Map);
  const Value* names = has_names ? compiled_->values.find("existing_names") : nullptr;
  if (names == nullptr || !names->is(Kind::List)) return;
  for (const Value& entry : names->items()) {
    existing_.emplace(std::pair(std::string(entry.text_at("kind")), std::string(entry.text_at("existing"))),
                      entry.text_at("name"));
  }
}

void Side::take_existing_names(const Side& other) { existing_.insert(other.existing_.begin(), other.existing_.end()); }

// Empty: the name is the object's own.
std::string_view Side::base_of(const Object& object) const {
  const auto digested =
      existing_.empty() ? existing_.end() : existing_.find({std::string(object.kind), std::string(object.name)});
  return rotation::rotated_base(object.value, digested == existing_.end() ? object.name : digested->second);
}

void Side::add_file(std::string path, std::string text, bool secret) {
  SideFile& added = files_.emplace_back();
  added.path = std::move(path);
  added.text = std::move(text);
  added.secret = secret;
}

std::string Side::shown_path(const SideFile& file) const {
  return is_outside(file.path) ? shown_output_ + file.path.substr(1) : shown_folder_ + file.path;
}

const SideFile* Side::find(std::string_view path) const {
  const auto found =
      std::find_if(files_.begin(), files_.end(), [&](const SideFile& file) { return file.path == path; });
  return found == files_.end() ? nullptr : &*found;
}

std::string_view Side::text(const SideFile& file) const {
  if (file.rendered != nullptr) return file.rendered->body.text();
  return file.source == FileId::None ? std::string_view(file.text) : sources_.text(file.source);
}

void Side::read(const SideFile& known) {
  const auto found = std::find_if(files_.begin(), files_.end(), [&](const SideFile& file) { return &file == &known; });
  CW_CHECK(found != files_.end(), "a side reads its own files");
  SideFile& file = *found;
  if (file.source != FileId::None) return;
  file.source = sources_.add(file.path, file.rendered != nullptr ? file.rendered->body.text() : std::move(file.text));
  if (has_data_name(file.path)) {
    Sink faults;
    Stage reading{sources_, faults, arena_, origins_, limits_};
    file.documents = read_yaml_documents(file.source, reading, {ScalarRules::Kubernetes, TextSyntax::ByName});
    file.broken = faults.failed();
    if (file.broken) file.documents.clear();
  }
  add_objects(file);
}

void Side::read_all() {
  for (const SideFile& file : files_) read(file);
}

bool Side::report_broken() {
  const bool is_broken = std::any_of(files_.begin(), files_.end(), [&](const SideFile& file) {
    return file.broken && file.rendered != nullptr && has_yaml_name(file.path) &&
           !is_skipped_by_argo(file.path, text(file));
  });
  if (!is_broken) return false;
  CompiledCluster& made = *compiled_;
  Stage rendering{made.sources, made.sink, made.arena, made.origins, limits_};
  const CheckedYaml checked = check_rendered_yaml(made.files, nullptr, made.trace, rendering);
  made.secrets.places.insert(made.secrets.places.end(), checked.secrets.begin(), checked.secrets.end());
  return made.sink.failed();
}

void Side::add_objects(SideFile& file) {
  if (is_skipped_by_argo(file.path, sources_.text(file.source))) {
    file.documents.clear();
    file.broken = true;
  }
  for (const YamlDocument& document : file.documents) add_object(file, document);
  if (!file.documents.empty() || (has_data_name(file.path) && !file.broken)) return;
  const std::string_view text = sources_.text(file.source);
  const Span where{file.source, 0, static_cast<std::uint32_t>(text.size())};
  add_whole(file, Value::string(make_text_view(arena_, text)).with_origin(origins_.input(where)), where);
}

void Side::add_object(const SideFile& file, const YamlDocument& document, const Value* list) {
  const Value& value = document.value;
  if (value.is(Kind::Null)) return;  // nothing but comments
  const bool is_of_list = list != nullptr && value.find("kind") == nullptr && value.find("apiVersion") == nullptr;
  const Value& typed = is_of_list ? *list : value;
  auto kind = rotation::string_at(typed, "kind");
  if (kind && is_of_list && kind->ends_with(kListEnding)) kind->remove_suffix(kListEnding.size());
  if (!kind || kind->empty()) return add_whole(file, value, document.span);
  if (const Value* items = listed_items(value)) {
    for (const Value& item : items->items()) add_object(file, {item, span(item)}, &value);
    return;
  }
  Object object;
  const std::string_view api_version = rotation::string_at(typed, "apiVersion").value_or("");
  const Value* metadata = value.find("metadata");
  object.group = rotation::group_of(api_version);
  object.version = object.group.empty() ? api_version : api_version.substr(object.group.size() + 1);
  object.kind = *kind;
  if (metadata != nullptr) {
    object.space = rotation::string_at(*metadata, "namespace").value_or("");
    object.name = rotation::string_at(*metadata, "name").value_or("");
  }
  object.file = &file;
  object.value = edit_ != nullptr ? edit_(value, arena_) : value;
  object.base = base_of(object);
  object.retired = !object.base.empty() && file.path == rotation::kRetiredFile;
  object.where = document.span;
  (is_removal(value) ? tombstones_ : objects_).push_back(object);
}

void Side::add_whole(const SideFile& file, const Value& value, Span where) {
  Object object;
  object.name = std::string_view(file.path).substr(is_outside(file.path) ? 1 : 0);
  object.file = &file;
  object.value = value;
  object.where = where;
  objects_.push_back(object);
}

// Those that have a byte of the place.
std::span<const Segment> Side::makers(Span place) const {
  if (!place.known()) return {};
  const auto file =
      std::find_if(files_.begin(), files_.end(), [&](const SideFile& each) { return each.source == place.file; });
  if (file == files_.end() || file->rendered == nullptr) return {};
  const auto all = file->rendered->body.segments();
  const auto begins_before = [](const Segment& segment, std::uint32_t offset) { return segment.begin < offset; };
  const auto last = std::lower_bound(all.begin(), all.end(), place.end, begins_before);
  auto first = std::lower_bound(all.begin(), last, place.begin + 1, begins_before);
  if (first != all.begin()) --first;
  return {first, last};
}

bool Side::is_secret(Span place) const {
  const auto all = makers(place);
  return std::any_of(all.begin(), all.end(), [](const Segment& segment) { return segment.tainted; });
}

const Segment* Side::maker(Span place) const {
  const auto all = makers(place);
  const auto value =
      std::find_if(all.begin(), all.end(), [](const Segment& each) { return each.value != OriginId::None; });
  if (value != all.end()) return &*value;
  return all.empty() ? nullptr : &all.front();
}

std::string title_of(const Object& object) {
  if (object.kind.empty()) return std::string(object.name);
  std::string title(object.kind);
  title += ' ';
  if (!object.space.empty()) (title += object.space) += '/';
  return title += object.name;
}

}  // namespace capwright::diff
