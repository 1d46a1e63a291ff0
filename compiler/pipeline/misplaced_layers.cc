// The other file is read into the cluster's own sources, so that the report can show the line that names the layer.
#include "pipeline/misplaced_layers.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diag/catalog/layers.h"
#include "pipeline/read_source.h"
#include "yaml/read.h"

namespace capwright {
namespace {

// " extends", " and 2 other files extend"
std::string words_for(std::size_t others) {
  if (others == 0) return " extends";
  return fmt::format(" and {} other file{} extend", others, others == 1 ? "" : "s");
}

std::string in_layers(const std::string& path) { return "layers/" + std::filesystem::path(path).filename().string(); }

// `layers/common.yaml` as a file in the folder of `from` names it.
std::string relative_to(const std::string& from, const std::string& path) {
  return std::filesystem::path(path).lexically_relative(std::filesystem::path(from).parent_path()).generic_string();
}

std::string resolved(const std::string& from, std::string_view name) {
  return (std::filesystem::path(from).parent_path() / name).lexically_normal().generic_string();
}

std::span<const Value> names_in(const Value& extends) {
  return extends.is(Kind::List) ? extends.items() : std::span(&extends, 1);
}

// The value in the document at `from` that extends `path`.
const Value* naming(const Value& document, const std::string& from, const std::string& path) {
  const Value* extends = document.is(Kind::Map) ? document.find("extends") : nullptr;
  if (extends == nullptr) return nullptr;
  const std::span<const Value> names = names_in(*extends);
  const auto found = std::find_if(names.begin(), names.end(), [&](const Value& name) {
    return name.is(Kind::String) && resolved(from, name.text()) == path;
  });
  return found == names.end() ? nullptr : &*found;
}

void add_extended(const std::string& from, Project& project, ExtendedFiles& found) {
  const Limits& limits = project.options().limits;
  std::string text;
  const bool is_read = !project.fs().read(project.workspace().io_path(from), text, limits.input_bytes);
  if (!is_read || text.find("extends") == std::string::npos) return;
  OwnStage own(limits);
  const Value document = read_yaml(own.sources.add(from, text), own.stage);
  const Value* extends = document.is(Kind::Map) ? document.find("extends") : nullptr;
  if (extends == nullptr) return;
  for (const Value& name : names_in(*extends)) {
    if (!name.is(Kind::String)) continue;
    const auto file = found.find(resolved(from, name.text()));
    if (file != found.end() && file->first != from) file->second.push_back(from);
  }
}

const ExtendedFiles& extended_files(Project& project) {
  return project.extended_files([&] {
    Sink ignored;  // commands for all clusters report unreadable folders
    ExtendedFiles found;
    const auto all = find_values_files(project.fs(), project.workspace(), project.config(), ignored);
    for (const std::string& path : all) found[path];
    for (const std::string& path : all) add_extended(path, project, found);
    return found;
  });
}

bool is_values_file(const std::string& path, Project& project) { return extended_files(project).contains(path); }

bool names_a_cluster(const std::string& path, const Project& project) {
  std::string text;
  return !project.fs().read(project.workspace().io_path(path), text, project.options().limits.input_bytes) &&
         text.find("cluster_name") != std::string::npos;
}

// `path`: what `extends` at `where` names.
void report_without_effect(const std::string& path, Span where, Project& project, Stage& stage) {
  const auto edit = [](const std::string& layer) {
    return fmt::format("list it in {}: `layers: [{{file: {}}}]`", kConfigName, layer);
  };
  if (!is_values_file(path, project)) {
    stage.sink.report(diag::unread_extends, where, path).advise(edit(path));
  } else if (names_a_cluster(path, project)) {
    stage.sink.report(diag::unread_extends, where, path)
        .advise("move the values that both share to `layers/common.yaml`, and " + edit("layers/common.yaml"));
  } else {
    stage.sink.report(diag::layer_among_clusters, where, path)
        .note("with your own templates, `extends` has no effect")
        .advise(fmt::format("move it to `{}`, and {}", in_layers(path), edit(in_layers(path))));
  }
}

}  // namespace

bool is_configured_layer(const std::string& values_path, Project& project, Stage& stage) {
  const std::vector<LayerRule>& rules = project.config().layers;
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const LayerRule& each) {
    return std::filesystem::path(each.file).lexically_normal() == values_path;
  });
  if (rule == rules.end() || !is_values_file(values_path, project)) return false;
  stage.sink
      .report(diag::layer_among_clusters, place_of_layer(*rule, project.fs(), project.workspace(), stage), values_path)
      .note(fmt::format("`layers` of {} names it, and it is in a folder of values files", kConfigName))
      .advise(fmt::format("move it to `{0}`, and write `file: {0}` here", in_layers(values_path)));
  return true;
}

bool is_extended_layer(const std::string& values_path, Project& project, Stage& stage) {
  const auto known = extended_files(project).find(values_path);
  if (known == extended_files(project).end() || known->second.empty()) return false;
  const std::vector<std::string>& users = known->second;
  Sink ignored;
  Stage aside{stage.sources, ignored, stage.arena, stage.origins, stage.limits};
  const auto file = read_optional_source(project.fs(), project.workspace(), users.front(), Span(), aside);
  const Value document = file ? read_yaml(*file, aside) : Value::null();
  const Value* name = naming(document, users.front(), values_path);
  Diagnostic& diagnostic =
      stage.sink.report(diag::layer_among_clusters, name != nullptr ? aside.span_of(*name) : Span(), values_path);
  const std::size_t others = users.size() - 1;
  diagnostic.note(fmt::format("`{}`{} it, and it has no `cluster_name`", users.front(), words_for(others)));
  diagnostic.advise(fmt::format("move it to `{}`, and write `extends: {}` here{}", in_layers(values_path),
                                relative_to(users.front(), in_layers(values_path)),
                                others == 0 ? "" : " and in the others"));
  return true;
}

void report_unread_extends(const Value& layer, Project& project, Stage& stage) {
  const Value* extends = layer.is(Kind::Map) ? layer.find("extends") : nullptr;
  if (extends == nullptr) return;
  const std::string from(stage.sources.path(stage.span_of(layer).file));
  for (const Value& name : names_in(*extends)) {
    if (!name.is(Kind::String)) continue;
    const std::string path = resolved(from, name.text());
    FileStat stat;
    // Data of the user's own, or a path that leaves the repository.
    if (path.starts_with("..") || path.starts_with('/') || project.fs().stat(project.workspace().io_path(path), stat) ||
        stat.type != FileType::Regular)
      continue;
    report_without_effect(path, stage.span_of(name), project, stage);
  }
}

}  // namespace capwright
