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

std::vector<std::string> values_files(const LayerPlace& at) {
  Sink ignored;  // commands for all clusters report unreadable folders
  return find_values_files(at.fs, at.workspace, at.config, ignored);
}

bool is_values_file(const std::string& path, const LayerPlace& at) {
  const std::vector<std::string> all = values_files(at);
  return std::binary_search(all.begin(), all.end(), path);
}

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

bool extends(const std::string& from, const std::string& path, const LayerPlace& at) {
  OwnStage own(at.limits);
  std::string text;
  if (at.fs.read(at.workspace.io_path(from), text, at.limits.input_bytes)) return false;
  if (text.find("extends") == std::string::npos) return false;
  return naming(read_yaml(own.sources.add(from, text), own.stage), from, path) != nullptr;
}

bool names_a_cluster(const std::string& path, const LayerPlace& at) {
  std::string text;
  return !at.fs.read(at.workspace.io_path(path), text, at.limits.input_bytes) &&
         text.find("cluster_name") != std::string::npos;
}

// `path`: what `extends` at `where` names.
void report_without_effect(const std::string& path, Span where, const LayerPlace& at, Stage& stage) {
  const auto edit = [](const std::string& layer) {
    return fmt::format("list it in {}: `layers: [{{file: {}}}]`", kConfigName, layer);
  };
  if (!is_values_file(path, at)) {
    stage.sink.report(diag::unread_extends, where, path).advise(edit(path));
  } else if (names_a_cluster(path, at)) {
    stage.sink.report(diag::unread_extends, where, path)
        .advise("move the values that both share to `layers/common.yaml`, and " + edit("layers/common.yaml"));
  } else {
    stage.sink.report(diag::layer_among_clusters, where, path)
        .note("with your own templates, `extends` has no effect")
        .advise(fmt::format("move it to `{}`, and {}", in_layers(path), edit(in_layers(path))));
  }
}

}  // namespace

bool is_configured_layer(const std::string& values_path, const LayerPlace& at, Stage& stage) {
  const auto rule = std::find_if(at.config.layers.begin(), at.config.layers.end(), [&](const LayerRule& each) {
    return std::filesystem::path(each.file).lexically_normal() == values_path;
  });
  if (rule == at.config.layers.end() || !is_values_file(values_path, at)) return false;
  stage.sink.report(diag::layer_among_clusters, place_of_layer(*rule, at.fs, at.workspace, stage), values_path)
      .note(fmt::format("`layers` of {} names it, and it is in a folder of values files", kConfigName))
      .advise(fmt::format("move it to `{0}`, and write `file: {0}` here", in_layers(values_path)));
  return true;
}

bool is_extended_layer(const std::string& values_path, const LayerPlace& at, Stage& stage) {
  std::vector<std::string> users;
  for (const std::string& other : values_files(at)) {
    if (other != values_path && extends(other, values_path, at)) users.push_back(other);
  }
  if (users.empty() || !is_values_file(values_path, at)) return false;
  Sink ignored;
  Stage aside{stage.sources, ignored, stage.arena, stage.origins, stage.limits};
  const auto file = read_optional_source(at.fs, at.workspace, users.front(), Span(), aside);
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

void report_unread_extends(const Value& layer, const LayerPlace& at, Stage& stage) {
  const Value* extends = layer.is(Kind::Map) ? layer.find("extends") : nullptr;
  if (extends == nullptr) return;
  const std::string from(stage.sources.path(stage.span_of(layer).file));
  for (const Value& name : names_in(*extends)) {
    if (!name.is(Kind::String)) continue;
    const std::string path = resolved(from, name.text());
    FileStat stat;
    // Data of the user's own, or a path that leaves the repository.
    if (path.starts_with("..") || path.starts_with('/') || at.fs.stat(at.workspace.io_path(path), stat) ||
        stat.type != FileType::Regular)
      continue;
    report_without_effect(path, stage.span_of(name), at, stage);
  }
}

}  // namespace capwright
