// Finds, reads and parses template sets.
#include "pipeline/template_set.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <set>
#include <utility>

#include "diag/catalog/envsubst.h"
#include "diag/catalog/layers.h"
#include "diag/suggest.h"
#include "embedded/embedded.h"
#include "facts/built_in.h"
#include "files/io_fault.h"
#include "pipeline/own_addons.h"
#include "pipeline/own_catalogue.h"
#include "pipeline/read_source.h"
#include "pipeline/stamp.h"
#include "template/syntax/parse.h"
#include "values/merge.h"
#include "yaml/read.h"

namespace capwright {
namespace {

constexpr std::string_view kManifest = "template.yaml";
constexpr std::string_view kValuesSchema = "values.schema.json";
constexpr std::string_view kBuiltInFolder = "templates/";
constexpr std::string_view kCommon = "common";

bool is_template(std::string_view name) { return name.ends_with(".j2"); }

// As clusterctl names templates.
bool is_envsubst_template(std::string_view name) {
  return name.starts_with("cluster-template") && name.ends_with(".yaml");
}

// Skips items that aren't strings.
std::vector<std::string> texts_of(const Value& map, std::string_view key) {
  std::vector<std::string> texts;
  const Value* list = map.find(key);
  if (list == nullptr || !list->is(Kind::List)) return texts;
  for (const Value& item : list->items()) {
    if (item.is(Kind::String)) texts.emplace_back(item.text());
  }
  return texts;
}

// Sets an option of Jinja2 by name; reports an unknown name at `where`.
void turn_on(jinja::Options& options, std::string_view name, bool on, Span where, Sink& sink) {
  static constexpr std::pair<std::string_view, bool jinja::Options::*> kFlags[] = {
      {"autoescape", &jinja::Options::autoescape},
      {"keep_trailing_newline", &jinja::Options::keep_trailing_newline},
      {"lstrip_blocks", &jinja::Options::lstrip_blocks},
      {"trim_blocks", &jinja::Options::trim_blocks},
  };
  for (const auto& [known, member] : kFlags) {
    if (known == name) {
      options.*member = on;
      return;
    }
  }
  std::vector<std::string_view> names;
  for (const auto& [known, member] : kFlags) names.push_back(known);
  const std::string meant = did_you_mean(name, names);
  sink.report(diag::unknown_jinja_option, where, name).advise(meant.empty() ? "known: " + list_names(names) : meant);
}

jinja::Options options_of(const Value& manifest, const OriginTable& origins, Sink& sink) {
  jinja::Options options;
  if (const Value* flags = manifest.find("jinja"); flags != nullptr && flags->is(Kind::Map)) {
    for (const Entry& entry : flags->entries()) {
      turn_on(options, entry.key.text(), entry.value.as_bool(), origins[entry.key.origin()].span, sink);
    }
  }
  return options;
}

void parse_templates(TemplateSet& set, const std::vector<std::pair<std::string, FileId>>& files,
                     const jinja::Options& options) {
  for (const auto& [name, file] : files) {
    set.templates[name] = jinja::parse(file, name, set.sources, options, set.sink);
  }
}

// Values and manifests of the repository's add-ons. Without `.j2`, a file is text that may hold braces of its own.
void parse_addons(TemplateSet& set, const std::vector<OwnAddon>& addons, const jinja::Options& options) {
  jinja::Options plain = options;
  for (std::string* start : {&plain.block_start, &plain.variable_start, &plain.comment_start}) start->clear();
  for (const OwnAddon& addon : addons) {
    for (const OwnAddon::File& file : addon.files) {
      const FileId id = set.sources.add(file.shown, file.text);
      const std::string name = included_name(addon, file);
      set.templates[name] = jinja::parse(id, name, set.sources, is_template(file.name) ? options : plain, set.sink);
    }
  }
}

// Merges and compiles the common schema, the settings of the repository's add-ons, and the set's own.
void read_schema(TemplateSet& set, std::optional<FileId> own, const OwnCatalogue& catalogue, Stage& stage) {
  constexpr std::string_view kCommonSchema = "schemas/values/common.schema.json";
  Value document =
      read_yaml(set.sources.add(std::string(kCommonSchema), std::string(built_in_text(kCommonSchema))), stage);
  if (!catalogue.own_addons.empty())
    document = values::merge_schemas(document, own_addon_schema(catalogue, stage), set.arena);
  if (own) {
    const Value part = read_yaml(*own, stage);
    if (part.is_error()) return;
    if (!part.is(Kind::Map)) {  // nothing to merge; reports what isn't a schema
      set.schema = schema::compile(part, stage);
      return;
    }
    document = values::merge_schemas(document, part, set.arena);
  }
  set.schema = schema::compile(document, stage);
  set.schema_document = document;
}

// Parses the main template of a set whose manifest has `language: envsubst`.
void read_envsubst(TemplateSet& set, const KnownSet& known, const Value& manifest, Stage& stage) {
  const Value* language = manifest.find("language");
  if (language == nullptr || manifest.text_at("language") == "jinja2") return;
  if (manifest.text_at("language") != "envsubst") {
    const Span where = stage.span_of(*language);
    stage.sink.report(diag::unknown_template_language, where, stage.sources.text(where));
    return;
  }
  for (const SetFile& file : known.files) {
    if (file.name != set.main) continue;
    set.envsubst = read_envsubst_template(set.sources.add(file.shown, file.text), manifest, stage);
    return;
  }
  stage.sink.report(diag::missing_main_template, stage.span_of(*language), set.main);
}

Value read_manifest(TemplateSet& set, FileId file, jinja::Options& options, Stage& stage) {
  const Value manifest = read_yaml(file, stage);
  set.title = std::string(manifest.text_at("title"));
  set.version = std::string(manifest.text_at("version"));
  set.provider = std::string(manifest.text_at("provider"));
  set.main = std::string(manifest.text_at("main"));
  set.kubernetes_types = texts_of(manifest, "kubernetes_types");
  set.rotated = texts_of(manifest, "rotated");
  options = options_of(manifest, set.origins, set.sink);
  return manifest;
}

// Reads all files of a set's folder, sorted by name, with folders in their sorted position.
class FolderReader {
 public:
  FolderReader(FileSystem& fs, const Workspace& workspace, Sink& sink) : fs_(fs), workspace_(workspace), sink_(sink) {}

  std::vector<SetFile> read(const std::string& folder) {
    read_below(folder, "");
    return std::move(files_);
  }

 private:
  void read_below(const std::string& folder, const std::string& below) {
    std::vector<DirEntry> entries;
    const std::string shown = below.empty() ? folder : folder + "/" + below;
    if (const IoError error = fs_.list(workspace_.io_path(shown), entries)) {
      report_io_fault(sink_, IoTask::List, shown, error);
      return;
    }
    for (const DirEntry& entry : entries) {
      const std::string name = below.empty() ? entry.name : below + "/" + entry.name;
      if (entry.name == ".git") continue;  // in a plain folder that is the repository's root
      if (entry.type == FileType::Directory) read_below(folder, name);
      else read_file({name, folder + "/" + name, {}});
    }
  }

  void read_file(SetFile file) {
    const IoError error = fs_.read(workspace_.io_path(file.shown), file.text, Limits().input_bytes);
    if (error) report_io_fault(sink_, IoTask::Read, file.shown, error);
    else files_.push_back(std::move(file));
  }

  FileSystem& fs_;
  const Workspace& workspace_;
  Sink& sink_;
  std::vector<SetFile> files_;
};

// The provider of a set, without parsing all of it.
std::string provider_of(const std::vector<SetFile>& files) {
  for (const SetFile& file : files) {
    if (file.name != kManifest) continue;
    OwnStage own;
    return std::string(read_yaml(own.sources.add(file.shown, file.text), own.stage).text_at("provider"));
  }
  return {};
}

// As stored in the binary: `common` is one of them, and nothing is inherited yet.
std::vector<KnownSet> embedded_folders() {
  std::vector<KnownSet> sets;
  for (const embedded::File& file : embedded::files()) {  // sorted by path, and so by set
    if (!file.path.starts_with(kBuiltInFolder)) continue;
    const std::string_view inside = file.path.substr(kBuiltInFolder.size());
    const std::size_t slash = inside.find('/');
    if (slash == std::string_view::npos) continue;
    const std::string_view id = inside.substr(0, slash);
    if (sets.empty() || sets.back().id != id) sets.push_back({std::string(id), {}, {}});
    sets.back().files.push_back(
        {std::string(inside.substr(slash + 1)), std::string(file.path), std::string(file.text)});
  }
  return sets;
}

// Adds files of `below` whose names `set` doesn't have.
void inherit(KnownSet& set, const std::vector<SetFile>& below) {
  std::set<std::string_view> own;
  for (const SetFile& file : set.files) own.insert(file.name);
  std::vector<SetFile> inherited;
  std::copy_if(below.begin(), below.end(), std::back_inserter(inherited),
               [&](const SetFile& file) { return !own.contains(file.name); });
  own.clear();
  set.files.insert(set.files.end(), std::make_move_iterator(inherited.begin()),
                   std::make_move_iterator(inherited.end()));
  std::sort(set.files.begin(), set.files.end(), [](const SetFile& a, const SetFile& b) { return a.name < b.name; });
}

struct SetsAndCommon {
  std::vector<KnownSet> sets;
  KnownSet common;
};

// Removes the set `id` from `sets` and returns it.
KnownSet take(std::vector<KnownSet>& sets, std::string_view id) {
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const KnownSet& set) { return set.id == id; });
  if (found == sets.end()) return {};
  KnownSet set = std::move(*found);
  sets.erase(found);
  return set;
}

SetsAndCommon embedded_sets() {
  SetsAndCommon known{embedded_folders(), {}};
  known.common = take(known.sets, kCommon);
  for (KnownSet& set : known.sets) set.built_in = true;
  return known;
}

// Completes each set with its provider and common files, by id.
std::vector<KnownSet> completed(SetsAndCommon known) {
  for (KnownSet& set : known.sets) {
    set.provider = provider_of(set.files);
    inherit(set, known.common.files);
  }
  std::sort(known.sets.begin(), known.sets.end(), [](const KnownSet& a, const KnownSet& b) { return a.id < b.id; });
  return std::move(known.sets);
}

// Reports files without a manifest. They were probably meant to replace files of the set with that name.
void report_unused_folder(const DirEntry& folder, const std::string& path, const std::vector<KnownSet>& sets,
                          Sink& sink) {
  const auto is_built_in = [&](const KnownSet& set) { return set.built_in && set.id == folder.name; };
  if (folder.type != FileType::Directory || std::none_of(sets.begin(), sets.end(), is_built_in)) return;
  sink.report(diag::set_without_manifest, Span(), path)
      .advise(fmt::format("move your files away, copy the whole set with `capwright eject {}`, and edit the copy",
                          folder.name));
}

// Reads the repository's sets, in its folder `templates`, and its own common files.
void read_own_sets(FileSystem& fs, const Workspace& workspace, const std::string& templates, SetsAndCommon& known,
                   Sink& sink) {
  std::vector<DirEntry> folders;
  const IoError error = fs.list(workspace.io_path(templates), folders);
  if (error.code == kOutOfBounds) report_io_fault(sink, IoTask::List, templates, error);
  if (error) return;  // a repository without its own sets has no such folder
  for (const DirEntry& folder : folders) {
    FileStat stat;
    const std::string path = templates + "/" + folder.name;
    const bool is_set = !fs.stat(workspace.io_path(path + "/" + std::string(kManifest)), stat);
    if (!is_set && folder.name != kCommon) {
      report_unused_folder(folder, path, known.sets, sink);
      continue;
    }
    KnownSet set{folder.name, {}, FolderReader(fs, workspace, sink).read(path)};
    if (folder.name == kCommon) {
      inherit(set, known.common.files);
      known.common = std::move(set);
    } else {
      take(known.sets, set.id);
      known.sets.push_back(std::move(set));
    }
  }
}

}  // namespace

const jinja::Template* TemplateSet::find(std::string_view name) const {
  const auto found = templates.find(name);
  return found == templates.end() ? nullptr : found->second.get();
}

std::vector<std::string_view> TemplateSet::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, parsed] : templates) names.push_back(name);
  return names;
}

std::vector<KnownSet> known_sets(FileSystem& fs, const Workspace& workspace, const Config& config, Sink& sink) {
  SetsAndCommon known = embedded_sets();
  read_own_sets(fs, workspace, config.templates, known, sink);
  return completed(std::move(known));
}

std::vector<KnownSet> built_in_sets() { return completed(embedded_sets()); }

bool is_set_file(std::string_view name) {
  return name == kManifest || name == kValuesSchema || is_template(name) || is_envsubst_template(name);
}

std::unique_ptr<TemplateSet> load_set(const KnownSet& known, const Limits& limits, const OwnCatalogue& own) {
  auto set = std::make_unique<TemplateSet>();
  Stage stage{set->sources, set->sink, set->arena, set->origins, limits};
  set->id = known.id;
  set->built_in = known.built_in;
  jinja::Options options;
  std::vector<std::pair<std::string, FileId>> templates;
  std::optional<FileId> own_schema;
  Value manifest;
  for (const SetFile& file : known.files) {
    if (!is_set_file(file.name) || is_envsubst_template(file.name)) continue;
    const FileId id = set->sources.add(file.shown, file.text);
    if (file.name == kManifest) manifest = read_manifest(*set, id, options, stage);
    else if (file.name == kValuesSchema) own_schema = id;
    else templates.emplace_back(file.name, id);
  }
  options.yaml_reader = jinja::YamlReader::Go;
  read_schema(*set, own_schema, own, stage);
  set->catalogue = values::read_addon_catalogue(addon_facts(own, stage));
  constexpr std::string_view kImages = "schemas/catalogue/images.yaml";
  set->images = read_yaml(set->sources.add(std::string(kImages), std::string(built_in_text(kImages))), stage);
  set->catalogue.provider = set->provider.empty() ? set->id : set->provider;
  parse_templates(*set, templates, options);
  parse_addons(*set, own.own_addons, options);
  read_envsubst(*set, known, manifest, stage);
  check_references(*set);
  set->digest = digest_sources(set->sources, {});
  return set;
}

std::unique_ptr<TemplateSet> load_plain_folder(const PlainFolder& folder, FileSystem& fs, const Workspace& workspace,
                                               const Limits& limits) {
  auto set = std::make_unique<TemplateSet>();
  Stage stage{set->sources, set->sink, set->arena, set->origins, limits};
  set->plain = true;
  set->id = folder.folder;
  set->main = folder.main;
  set->outputs = folder.outputs;
  jinja::Options options;
  options.yaml_reader = jinja::YamlReader::Warned;
  std::string given;
  for (const std::string& name : folder.jinja) given += (given.empty() ? "" : ",") + name;
  const FileId flags = set->sources.add("--jinja", std::move(given));
  std::uint32_t at = 0;
  for (const std::string& name : folder.jinja) {
    const auto size = static_cast<std::uint32_t>(name.size());
    turn_on(options, name, true, {flags, at, at + size}, set->sink);
    at += size + 1;
  }
  std::vector<std::pair<std::string, FileId>> templates;
  for (SetFile& file : FolderReader(fs, workspace, set->sink).read(folder.folder))
    templates.emplace_back(file.name, set->sources.add(file.shown, std::move(file.text)));
  parse_templates(*set, templates, options);
  if (folder.schema) {
    if (const std::optional<FileId> file = read_source(fs, workspace, *folder.schema, Span(), stage)) {
      const Value document = read_yaml(*file, stage);
      const std::size_t errors = set->sink.error_count();
      if (!document.is_error()) set->schema = schema::compile(document, stage);
      set->has_faulty_schema = set->sink.error_count() != errors;
    }
  }
  check_references(*set);
  set->digest = digest_sources(set->sources, {});
  for (const OutputPattern& pattern : folder.outputs.patterns())
    set->digest = sha256(to_hex(set->digest) + pattern.text());
  return set;
}

}  // namespace capwright
