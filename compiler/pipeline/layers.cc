// Loads layers depth first, so that a file follows every file that it extends.
#include "pipeline/layers.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "diag/catalog/layers.h"
#include "diag/catalog/limits.h"
#include "files/io_fault.h"
#include "files/path_rules.h"
#include "pipeline/other_layers.h"
#include "pipeline/read_source.h"
#include "text/glob.h"
#include "values/merge.h"
#include "values/normalize.h"
#include "yaml/read.h"

namespace capwright {
namespace {

class LayerLoader {
 public:
  LayerLoader(const LayerRequest& request, FileSystem& fs, const Workspace& workspace, Stage& stage)
      : request_(request), fs_(fs), workspace_(workspace), stage_(stage) {}

  // Loads `path` and the files that it extends, lowest first.
  void load(const std::string& path, Span asked_at, std::vector<Value>& layers) {
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      stage_.sink.report(diag::extends_cycle, asked_at, path)
          .note("the cycle is " + fmt::format("{} -> {}", fmt::join(open_, " -> "), path));
      return;
    }
    if (++loads_ > stage_.limits.layers) {
      if (loads_ == stage_.limits.layers + 1)
        stage_.sink.report(diag::too_many_layers, asked_at, stage_.limits.layers)
            .note(fmt::format("{} files lead to this one", open_.size()));
      return;
    }
    const std::optional<FileId> file = path == kStandardInput ? stage_.sources.add(path, request_.extra->standard_input)
                                                              : read_source(fs_, workspace_, path, asked_at, stage_);
    if (!file) return explain_placeholder(path);
    Value document = read_yaml(*file, stage_);
    if (!document.is_error()) document = decrypt_layer(document, *file, request_.decryption, stage_);
    if (document.is_error()) return;
    if (document.is(Kind::Null) && path != request_.values_path)
      stage_.sink.report(diag::empty_layer, Span{*file, 0, 0}, path);
    if (request_.as_they_stand) {
      layers.push_back(document);
      return;
    }
    open_.push_back(path);
    const Value* extends = document.find("extends");
    if (extends != nullptr) load_extended(path, *extends, layers);
    open_.pop_back();
    layers.push_back(values::normalize_layer(extends == nullptr ? document : without_extends(document), stage_));
  }

 private:
  // For a layer that can't be read.
  void explain_placeholder(std::string_view path) {
    if (path.find_first_of("{*") == std::string_view::npos || stage_.sink.diagnostics().empty()) return;
    stage_.sink.diagnostics().back().advise(std::string(kAdviceOnLayerPaths));
  }

  void load_extended(const std::string& path, const Value& extends, std::vector<Value>& layers) {
    const std::span<const Value> names = extends.is(Kind::List) ? extends.items() : std::span(&extends, 1);
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    for (const Value& name : names) {
      if (!name.is(Kind::String)) {
        stage_.sink.report(diag::malformed_extends, stage_.span_of(name), kind_name(name.kind()));
        continue;
      }
      const std::string target = (folder / name.text()).lexically_normal().string();
      const std::size_t known = stage_.sink.diagnostics().size();
      load(target, stage_.span_of(name), layers);
      suggest_path(folder, name, target, known);
    }
  }

  // For a missing file whose name is written relative to the root, or with too few or too many `..`. Only files below
  // the root are looked for, so that the help doesn't tell which others there are.
  void suggest_path(const std::filesystem::path& folder, const Value& name, const std::string& target,
                    std::size_t known) {
    FileStat stat;
    const bool is_missing = stage_.sink.diagnostics().size() == known + 1 &&
                            fs_.stat(workspace_.io_path(target), stat).code == ENOENT && !target.starts_with('/') &&
                            (folder.empty() || *folder.begin() != "..");
    if (!is_missing) return;
    std::filesystem::path rest;
    for (const std::filesystem::path& part : std::filesystem::path(name.text()).lexically_normal()) {
      if (!rest.empty() || part != "..") rest /= part;
    }
    const bool is_there = !rest.empty() && !rest.is_absolute() && rest.string() != target &&
                          !fs_.stat(workspace_.io_path(rest.string()), stat) && stat.type == FileType::Regular;
    if (!is_there) return;
    const std::filesystem::path from = folder.empty() ? std::filesystem::path(".") : folder;
    stage_.sink.diagnostics().back().advise(
        fmt::format("`extends` is relative to this file: write `{}`", rest.lexically_relative(from).string()));
  }

  Value without_extends(const Value& document) {
    std::vector<Entry> entries;
    for (const Entry& entry : document.entries()) {
      if (entry.key.text() != "extends") entries.push_back(entry);
    }
    return make_map(stage_.arena, entries).with_origin(document.origin());
  }

  const LayerRequest& request_;
  FileSystem& fs_;
  const Workspace& workspace_;
  Stage& stage_;
  std::vector<std::string> open_;
  std::uint32_t loads_ = 0;
};

// The `provider` in the layers above the configuration's layers; it determines which of those apply.
std::string_view stated_provider(std::span<const Value> layers, const ExtraValues* extra) {
  std::string_view provider;
  for (const Value& layer : layers) {
    const Value* value = layer.find("provider");
    if (value != nullptr && value->is(Kind::String)) provider = value->text();
  }
  if (extra == nullptr) return provider;
  for (const ExtraValues::Set& set : extra->sets) {
    constexpr std::string_view kPrefix = "provider=";
    if (set.assignment.starts_with(kPrefix)) provider = std::string_view(set.assignment).substr(kPrefix.size());
  }
  return provider;
}

bool is_conditional(const LayerRule& rule) { return !rule.provider.empty() || !rule.path_glob.empty(); }

bool applies(const LayerRule& rule, std::string_view provider, const LayerRequest& request) {
  const bool meant =
      rule.provider.empty() || rule.provider == provider || (request.means && request.means(rule.provider, provider));
  const std::string_view path = request.meant_path.empty() ? request.values_path : request.meant_path;
  return meant && (rule.path_glob.empty() || glob_matches(rule.path_glob, path));
}

bool is_values_file(std::string_view name) { return !name.starts_with('.') && has_data_name(name); }

// Pipes, sockets and devices don't count, whatever their name.
bool is_file(FileType type) { return type == FileType::Regular || type == FileType::Symlink; }

// Links to folders aren't followed, since they can form cycles. Without a report, the clusters there would be missing.
void report_linked_folder(FileSystem& fs, const Workspace& workspace, const std::string& path, Sink& sink) {
  FileStat target;
  if (fs.stat(workspace.io_path(path), target) || target.type != FileType::Directory) return;
  report_io_fault(sink, IoTask::List, path, IoError{ELOOP})
      .advise(fmt::format("remove the link, and name its target under `values` in `{}`", kConfigName));
}

void find_below(FileSystem& fs, const Workspace& workspace, const std::string& folder, std::vector<std::string>& found,
                Sink& sink) {
  std::vector<DirEntry> entries;
  if (const IoError error = fs.list(workspace.io_path(folder), entries)) {
    report_io_fault(sink, IoTask::List, folder, error);
    return;
  }
  for (const DirEntry& entry : entries) {
    const std::string path = folder + "/" + entry.name;
    if (entry.type == FileType::Directory && !entry.name.starts_with('.')) find_below(fs, workspace, path, found, sink);
    else if (is_file(entry.type) && is_values_file(entry.name)) found.push_back(path);
    else if (entry.type == FileType::Symlink && !entry.name.starts_with('.'))
      report_linked_folder(fs, workspace, path, sink);
  }
}

}  // namespace

Span place_of_layer(const LayerRule& rule, FileSystem& fs, const Workspace& workspace, Stage& stage) {
  Sink ignored;
  Stage aside{stage.sources, ignored, stage.arena, stage.origins, stage.limits};
  const auto file = read_optional_source(fs, workspace, std::string(kConfigName), Span(), aside);
  if (!file) return {};
  const Value document = read_yaml(*file, aside);
  const Value* layers = document.is(Kind::Map) ? document.find("layers") : nullptr;
  if (layers == nullptr || !layers->is(Kind::List)) return {};
  for (const Value& layer : layers->items()) {
    const Value* name = layer.is(Kind::Map) ? layer.find("file") : nullptr;
    if (name != nullptr && name->is(Kind::String) && name->text() == rule.file) return aside.span_of(*name);
  }
  return {};
}

Value configured_objects(FileSystem& fs, const Workspace& workspace, const Config& config, Stage& stage) {
  if (config.own_objects.empty()) return Value::null();
  const auto file = read_optional_source(fs, workspace, std::string(kConfigName), Span(), stage);
  const Value document = file ? read_yaml(*file, stage) : Value::null();
  if (!document.is(Kind::Map)) return Value::null();
  std::vector<Entry> entries;
  for (const Entry& entry : document.entries()) {
    const auto& kept = values::kGrowingLists;
    if (std::find(std::begin(kept), std::end(kept), entry.key.text()) != std::end(kept)) entries.push_back(entry);
  }
  return make_map(stage.arena, entries).with_origin(document.origin());
}

std::vector<Value> load_layers(const LayerRequest& request, FileSystem& fs, const Workspace& workspace,
                               const Config& config, Stage& stage) {
  std::vector<Value> own;
  LayerLoader loader(request, fs, workspace, stage);
  loader.load(request.values_path, Span(), own);
  if (request.extra != nullptr) {
    const bool is_elsewhere = request.extra->fs != nullptr;
    LayerLoader of_command_line(request, is_elsewhere ? *request.extra->fs : fs,
                                is_elsewhere ? request.extra->workspace : workspace, stage);
    for (const std::string& file : request.extra->files) of_command_line.load(file, Span(), own);
  }

  std::string_view provider = stated_provider(own, request.extra);
  std::map<const LayerRule*, std::vector<Value>> loaded;  // reads each file once, whatever rules use it
  const auto configured = [&](bool conditional_too) {
    std::vector<Value> layers;
    for (const LayerRule& rule : config.layers) {
      if (is_conditional(rule) && (!conditional_too || !applies(rule, provider, request))) continue;
      const auto [known, is_new] = loaded.try_emplace(&rule);
      FileStat stat;
      const bool is_missing = is_new && fs.stat(workspace.io_path(rule.file), stat);  // its place is reported
      const Span place = is_missing ? place_of_layer(rule, fs, workspace, stage) : Span();
      if (is_new) loader.load(rule.file, place, known->second);
      layers.insert(layers.end(), known->second.begin(), known->second.end());
    }
    return layers;
  };
  // A layer for all clusters may also set the provider, which then determines the other layers.
  if (provider.empty()) provider = stated_provider(configured(false), nullptr);
  std::vector<Value> layers = configured(true);
  layers.insert(layers.end(), own.begin(), own.end());
  if (request.as_they_stand) return layers;
  const Value objects = configured_objects(fs, workspace, config, stage);
  if (objects.is(Kind::Map)) layers.insert(layers.begin(), objects);
  return layers;
}

std::vector<const LayerRule*> unused_layers(const std::vector<std::string>& values_paths, const LayerRequest& common,
                                            const LayerPlace& at) {
  std::vector<const LayerRule*> unused;
  for (const LayerRule& rule : at.config.layers) {
    if (is_conditional(rule)) unused.push_back(&rule);
  }
  for (auto path = values_paths.begin(); path != values_paths.end() && !unused.empty(); ++path) {
    LayerRequest request = common;
    request.values_path = *path;
    OwnStage own(at.limits);
    std::vector<Value> read;
    LayerLoader loader(request, at.fs, at.workspace, own.stage);
    loader.load(*path, Span(), read);
    std::string_view provider = stated_provider(read, request.extra);
    for (const LayerRule& rule : at.config.layers) {
      if (!is_conditional(rule) && provider.empty()) loader.load(rule.file, Span(), read);
    }
    if (provider.empty()) provider = stated_provider(read, request.extra);
    if (own.sink.failed()) return {};  // its layers are unknown
    std::erase_if(unused, [&](const LayerRule* rule) { return applies(*rule, provider, request); });
  }
  return unused;
}

std::vector<std::string> layers_left_out_with(std::string_view key, const LayerRequest& request, const Value& values,
                                              const LayerPlace& at) {
  const Value* stated = values.find("provider");
  const std::string_view provider = stated != nullptr && stated->is(Kind::String) ? stated->text() : std::string_view();
  std::vector<std::string> files;
  for (const LayerRule& rule : at.config.layers) {
    if (!is_conditional(rule) || applies(rule, provider, request)) continue;
    OwnStage own(at.limits);
    std::vector<Value> layers;
    LayerLoader(request, at.fs, at.workspace, own.stage).load(rule.file, Span(), layers);
    const auto sets = [&](const Value& layer) {
      const Value* value = &layer;
      for (std::string_view rest = key; value != nullptr && !rest.empty();) {
        const std::size_t dot = rest.find('.');
        value = value->is(Kind::Map) ? value->find(rest.substr(0, dot)) : nullptr;
        rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
      }
      return value != nullptr;
    };
    if (std::any_of(layers.begin(), layers.end(), sets)) files.push_back(rule.file);
  }
  return files;
}

Value apply_sets(Value merged, const ExtraValues& extra, Stage& stage) {
  for (const ExtraValues::Set& set : extra.sets) {
    const FileId file = stage.sources.add(set.as_string ? "--set-string" : "--set", set.assignment);
    const auto size = static_cast<std::uint32_t>(set.assignment.size());
    const std::string_view text = stage.sources.text(file);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) {
      stage.sink.report(diag::malformed_set, {file, 0, size}, text).advise("write it as `path=value`");
      continue;
    }
    const auto begin = static_cast<std::uint32_t>(equals + 1);
    const std::vector<values::PathStep> path =
        values::parse_path(text.substr(0, equals), {file, 0, static_cast<std::uint32_t>(equals)}, stage);
    if (path.empty()) continue;
    const OriginId origin = stage.origins.input({file, begin, size});
    const Value value = set.as_string ? make_string(stage.arena, text.substr(begin)).with_origin(origin)
                                      : read_yaml_text(text.substr(begin), {file, begin, size}, origin, stage);
    if (!value.is_error()) merged = values::assign(merged, path, value, stage);
  }
  return merged;
}

std::vector<std::string> find_values_files(FileSystem& fs, const Workspace& workspace, const Config& config,
                                           Sink& sink) {
  std::vector<std::string> found;
  for (std::size_t i = 0; i < config.values.size(); ++i) {
    const std::string& folder = config.values[i];
    FileStat stat;
    if (const IoError error = fs.stat(workspace.io_path(folder), stat)) {
      // The default folder need not exist where other manifests are named.
      if (error.code == ENOENT && config.values_places.empty() && !config.sources.empty()) continue;
      report_io_fault(sink, IoTask::List, folder, error,
                      config.values_places.empty() ? Span() : config.values_places[i])
          .advise(folder.find('*') == std::string::npos
                      ? "put one values file per cluster there, or set `values` in capwright.yaml to another folder"
                      : "write a folder without `*`: it is searched with its subfolders");
      continue;
    }
    if (stat.type == FileType::Directory) find_below(fs, workspace, folder, found, sink);
    else found.push_back(folder);
  }
  // Helm's values may be in the same folder.
  std::erase_if(found, [&](const std::string& path) {
    return std::any_of(config.sources.begin(), config.sources.end(),
                       [&](const ManifestSource& source) { return source.is_command() && source.has(path); });
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::string_view cluster_stem(std::string_view values_path) {
  const auto last_of = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };  // npos + 1 is 0
  const std::string_view file = last_of(values_path);
  const std::size_t dot = file.rfind('.');
  const std::string_view stem = dot == 0 || dot == std::string_view::npos ? file : file.substr(0, dot);
  if (stem != "values" || file.size() == values_path.size()) return stem;
  const std::string_view folder = last_of(values_path.substr(0, values_path.size() - file.size() - 1));
  return folder.empty() || folder == "." || folder == ".." ? stem : folder;
}

}  // namespace capwright
