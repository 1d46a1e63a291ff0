// Nothing here decides what a template does with a key: the renders before and after decide.
#include "workflow/rename_key.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "facts/built_in.h"
#include "lint/model/template_reads.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/config.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

bool is_name(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

bool begins_with(const KeyPath& path, const KeyPath& start) {
  return path.size() >= start.size() && std::equal(start.begin(), start.end(), path.begin());
}

// Whether a path with computed keys may lead to the key.
bool may_lead_to(const KeyPath& path, const KeyPath& key) {
  bool is_computed = false;
  if (path.size() < key.size()) return false;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool is_any = path[i] == kAnyItem && key[i] != kAnyItem;
    if (!is_any && path[i] != key[i]) return false;
    is_computed = is_computed || is_any;
  }
  return is_computed;
}

std::string first_error(const CompiledCluster& cluster) {
  for (const Diagnostic& diagnostic : cluster.sink.diagnostics()) {
    if (diagnostic.info->severity == Severity::Error) return diagnostic.message;
  }
  if (cluster.set == nullptr) return "no template set renders it";
  for (const Diagnostic& diagnostic : cluster.set->sink.diagnostics()) {
    if (diagnostic.info->severity == Severity::Error) return diagnostic.message;
  }
  return {};
}

}  // namespace

KeysOfRepository::KeysOfRepository(Session& session) : session_(session) {
  OpenProject& open = session.open();
  if (open.project == nullptr) return;
  for (const std::string& values : choose_clusters(open, {})) {
    const auto cluster = load_cluster(values, *open.project);
    if (cluster->set == nullptr) continue;
    Reader reader{values, cluster->set, {}};
    for (const FileId file : cluster->sources.files()) {
      const std::string path(cluster->sources.path(file));
      reader.files.push_back(path);
      if (!files_.contains(path)) add_values(path);
    }
    if (!of_sets_.contains(cluster->set)) add_set(*cluster->set);
    readers_.push_back(std::move(reader));
  }
}

std::string KeysOfRepository::read(const std::string& path) {
  OpenProject& open = session_.open();
  std::string text;
  if (open.fs.read(open.project->workspace().io_path(path), text, open.limits.input_bytes)) return {};
  return text;
}

void KeysOfRepository::add_values(const std::string& path) {
  File& file = files_[path];
  file.text = read(path);
  file.is_values = path != kConfigName;
  OwnStage own(session_.open().limits);
  const Value values = read_yaml(own.sources.add(path, file.text), own.stage);
  if (own.sink.failed()) return;
  const Value* sops = values.find("sops");
  file.is_encrypted = sops != nullptr && sops->is(Kind::Map) && sops->find("mac") != nullptr;
  file.keys = file.is_values ? keys_of_values(values, own.stage) : references_in(values, own.stage);
}

void KeysOfRepository::add_set(const TemplateSet& set) {
  std::vector<std::string>& paths = of_sets_[&set];
  const Project& project = *session_.open().project;
  for (const auto& [name, parsed] : set.templates) {
    const std::string path(set.sources.path(parsed->file));
    File& file = files_[path];
    file.text = set.sources.text(parsed->file);
    file.keys = keys_of_template(*parsed, set.sources);
    file.is_of_repository = read(path) == file.text;
    paths.push_back(path);
  }
  if (!set.plain) paths.push_back(add_common_schema());
  std::string schema;
  const auto& plain = project.plain_folder();
  if (plain) schema = plain->schema.value_or("");
  const KnownSet* known = plain ? nullptr : project.known_set(set.id);
  if (known != nullptr) {
    for (const SetFile& each : known->files) {
      if (each.name == "values.schema.json" && !known->built_in) schema = each.shown;
    }
  }
  if (schema.empty()) return;
  File& file = files_[schema];
  file.text = read(schema);
  OwnStage own(session_.open().limits);
  const Value document = read_yaml(own.sources.add(schema, file.text), own.stage);
  if (!own.sink.failed()) file.keys = keys_of_schema(document, own.stage);
  paths.push_back(schema);
}

std::string KeysOfRepository::add_common_schema() {
  std::string path = "schemas/values/common.schema.json";
  File& file = files_[path];
  file.text = built_in_text(path);
  file.is_of_repository = false;
  OwnStage own(session_.open().limits);
  const Value document = read_yaml(own.sources.add(path, file.text), own.stage);
  file.keys = keys_of_schema(document, own.stage);
  return path;
}

NamedKey KeysOfRepository::key_at(const std::string& path, std::uint32_t offset) {
  const auto file = files_.find(path);
  if (file == files_.end()) return {};
  for (const KeyPlace& place : file->second.keys) {
    if (offset >= place.where.begin && offset <= place.where.end && place.path.back() != kAnyItem)
      return {place.path, {path, place.where.begin, place.where.end}};
  }
  return {};
}

std::string_view KeysOfRepository::text_of_file(std::string_view path) const {
  const auto file = files_.find(path);
  return file == files_.end() ? std::string_view() : file->second.text;
}

bool KeysOfRepository::is_of_repository(std::string_view path) const {
  const auto file = files_.find(path);
  return file != files_.end() && file->second.is_of_repository;
}

std::string KeysOfRepository::template_named_at(const std::string& path, std::uint32_t offset) const {
  for (const auto& [set, paths] : of_sets_) {
    for (const auto& [name, parsed] : set->templates) {
      if (set->sources.path(parsed->file) != path) continue;
      for (const jinja::TemplateReference& reference : parsed->references.templates) {
        const bool is_here = offset >= reference.span.begin && offset <= reference.span.end;
        const jinja::Template* named = is_here ? set->find(reference.name) : nullptr;
        if (named != nullptr) return std::string(set->sources.path(named->file));
      }
    }
  }
  return {};
}

std::vector<FilePlace> KeysOfRepository::places_that_set(const NamedKey& key) {
  std::vector<FilePlace> places;
  for (const auto& [path, file] : files_) {
    for (const KeyPlace& place : file.keys) {
      if (file.is_values && !place.is_reference && place.path == key.key)
        places.push_back({path, place.where.begin, place.where.end});
    }
  }
  return places;
}

// All clusters of the sets whose clusters have a file that names the key, until no set is added.
std::vector<const KeysOfRepository::Reader*> KeysOfRepository::readers_of(const NamedKey& key) const {
  std::set<const TemplateSet*> sets;
  const auto names_key = [&](const std::string& path) {
    const auto file = files_.find(path);
    return file != files_.end() && std::any_of(file->second.keys.begin(), file->second.keys.end(),
                                               [&](const KeyPlace& place) { return begins_with(place.path, key.key); });
  };
  for (const auto& [set, paths] : of_sets_) {
    if (std::find(paths.begin(), paths.end(), key.where.path) != paths.end()) sets.insert(set);
  }
  for (std::size_t before = static_cast<std::size_t>(-1); before != sets.size();) {
    before = sets.size();
    std::set<std::string_view> named{key.where.path};
    for (const Reader& reader : readers_) {
      if (!sets.contains(reader.set)) continue;
      for (const std::string& path : reader.files) {
        if (names_key(path)) named.insert(path);
      }
    }
    for (const Reader& reader : readers_) {
      const bool reads = std::any_of(reader.files.begin(), reader.files.end(),
                                     [&](const std::string& path) { return named.contains(path); });
      if (reads) sets.insert(reader.set);
    }
  }
  std::vector<const Reader*> readers;
  for (const Reader& reader : readers_) {
    if (sets.contains(reader.set)) readers.push_back(&reader);
  }
  return readers;
}

std::vector<std::string> KeysOfRepository::files_of(const std::vector<const Reader*>& readers) const {
  std::set<std::string> paths;
  for (const Reader* reader : readers) {
    paths.insert(reader->files.begin(), reader->files.end());
    const std::vector<std::string>& of_set = of_sets_.at(reader->set);
    paths.insert(of_set.begin(), of_set.end());
  }
  return {paths.begin(), paths.end()};
}

std::string KeysOfRepository::place_text(const std::string& path, Span where) const {
  const std::string_view text = files_.find(path)->second.text;
  const auto line = std::count(text.begin(), text.begin() + where.begin, '\n') + 1;
  return fmt::format("`{}`, line {}", path, line);
}

std::string KeysOfRepository::refusal(const NamedKey& key) {
  const std::string shown = text_of(key.key);
  const std::vector<const Reader*> readers = readers_of(key);
  if (readers.empty()) return fmt::format("no cluster reads `{}`", key.where.path);
  for (const Reader* reader : readers) {
    if (reader->set->built_in)
      return fmt::format("`{}` belongs to the built-in template set `{}`", shown, reader->set->id);
    if (reader->set->envsubst) return fmt::format("the template set `{}` isn't written in Jinja2", reader->set->id);
    if (lint::is_read_by_compiler(*reader->set, shown)) return fmt::format("capwright itself reads `{}`", shown);
  }
  for (const std::string& path : files_of(readers)) {
    if (std::string conflict = conflict_in(path, key.key); !conflict.empty()) return conflict;
  }
  return {};
}

// Why the places of the key in a file can't be edited, or aren't known.
std::string KeysOfRepository::conflict_in(const std::string& path, const KeyPath& key) const {
  const File& file = files_.find(path)->second;
  const std::string shown = text_of(key);
  std::set<Span> named;
  for (const KeyPlace& place : file.keys) {
    if (may_lead_to(place.path, key))
      return fmt::format("{} reads keys beside `{}` by computed names", place_text(path, place.where), shown);
    if (place.path != key) continue;
    if (!file.is_of_repository) return fmt::format("the built-in file `{}` names `{}`", path, shown);
    if (file.is_encrypted) return fmt::format("`{}` is encrypted; rename the key with `sops edit`", path);
    named.insert(place.where);
  }
  for (const KeyPlace& place : file.keys) {
    if (place.path != key && named.contains(place.where))
      return fmt::format("{} names `{}` and `{}` at once", place_text(path, place.where), shown, text_of(place.path));
  }
  for (const auto& [set, paths] : of_sets_) {
    for (const auto& [name, parsed] : set->templates) {
      if (!file.is_of_repository || set->sources.path(parsed->file) != path) continue;
      const std::vector<Span> uses = untraced_uses(*parsed, key.back(), file.keys, set->sources);
      if (!uses.empty())
        return fmt::format("{} uses the name `{}`, maybe for another value", place_text(path, uses[0]), key.back());
    }
  }
  return {};
}

// Where the new name has another meaning already.
std::string KeysOfRepository::collision(const NamedKey& key, const std::string& name,
                                        const std::vector<std::string>& files) const {
  KeyPath renamed = key.key;
  renamed.back() = name;
  for (const std::string& path : files) {
    for (const KeyPlace& place : files_.find(path)->second.keys) {
      if (place.path == renamed) return fmt::format("`{}` exists: {}", text_of(renamed), place_text(path, place.where));
    }
  }
  if (key.key.size() != 1) return {};
  for (const auto& [set, paths] : of_sets_) {
    for (const auto& [template_name, parsed] : set->templates) {
      for (const jinja::Definition& definition : parsed->references.definitions) {
        const std::string path(set->sources.path(parsed->file));
        const bool is_read = std::find(files.begin(), files.end(), path) != files.end();
        if (is_read && definition.name == name)
          return fmt::format("{} defines `{}`", place_text(path, definition.span), name);
      }
    }
  }
  return {};
}

// The first cluster that the rename would change.
std::string KeysOfRepository::difference(const std::vector<const Reader*>& readers, Session& trial,
                                         const KeyPath& old_key) {
  const std::string shown = text_of(old_key);
  for (const Reader* reader : readers) {
    const auto before = session_.render(reader->values_path);
    if (!before->clean()) return fmt::format("`{}` has errors; fix them first", reader->values_path);
    if (trial.open().project == nullptr || trial.tree() == nullptr) return "the configuration would be invalid";
    const auto after = trial.render(reader->values_path);
    if (!after->clean())
      return fmt::format("`{}` would have an error without `{}`: {}", reader->values_path, shown, first_error(*after));
    const auto old_files = before->files.files(), new_files = after->files.files();
    for (std::size_t i = 0; i < std::max(old_files.size(), new_files.size()); ++i) {
      const bool is_same = i < old_files.size() && i < new_files.size() && old_files[i].path == new_files[i].path &&
                           old_files[i].digest == new_files[i].digest;
      const std::string& path = i < old_files.size() ? old_files[i].path : new_files[i].path;
      if (!is_same) return fmt::format("`{}` would change: its templates use the name of `{}`", path, shown);
    }
  }
  return {};
}

KeysOfRepository::Rename KeysOfRepository::rename(const NamedKey& key, const std::string& name, OpenRequest request,
                                                  const FileTexts& edits) {
  Rename result{refusal(key), {}};
  if (!result.error.empty()) return result;
  if (!is_name(name)) {
    result.error = fmt::format("`{}` can't be read in templates; expected letters, digits and `_`", name);
    return result;
  }
  const std::vector<const Reader*> readers = readers_of(key);
  const std::vector<std::string> files = files_of(readers);
  if (result.error = collision(key, name, files); !result.error.empty()) return result;
  FileTexts texts = edits;
  for (const std::string& path : files) {
    const File& file = files_.find(path)->second;
    std::set<FilePlace> places;
    for (const KeyPlace& place : file.keys) {
      if (place.path == key.key) places.insert({path, place.where.begin, place.where.end});
    }
    if (places.empty()) continue;
    std::string text = file.text;
    for (auto place = places.rbegin(); place != places.rend(); ++place)
      text.replace(place->begin, place->end - place->begin, name);
    texts.insert_or_assign(path, std::move(text));
    result.places.insert(result.places.end(), places.begin(), places.end());
  }
  request.edits = &texts;
  Session trial(std::move(request));
  if (result.error = difference(readers, trial, key.key); !result.error.empty()) result.places.clear();
  return result;
}

}  // namespace capwright::workflow
