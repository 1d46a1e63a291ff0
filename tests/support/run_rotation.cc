// A short history of renders in memory.
#include "support/run_rotation.h"

#include <cstdlib>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "files/index.h"
#include "files/previous.h"
#include "rotation/keep.h"
#include "rotation/rotate.h"
#include "support/run_tree.h"
#include "yaml/read.h"

namespace capwright::spec {
namespace {

std::vector<std::string> list_of(std::string_view text) {
  std::vector<std::string> items;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(", "), text.size());
    items.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return items;
}

rotation::ReadManifests manifests_of(const FileSet& files, Stage& stage) {
  rotation::ReadManifests manifests;
  for (std::size_t number = 0; number < files.files().size(); ++number) {
    const RenderedFile& file = files.files()[number];
    Stage reading{stage.sources, stage.sink, manifests.arena, manifests.origins, stage.limits};
    const FileId text = stage.sources.add(file.path, file.body.text());
    manifests.files.push_back(
        {number, text, read_yaml_documents(text, reading, {ScalarRules::Kubernetes, TextSyntax::Yaml})});
  }
  return manifests;
}

PreviousCluster previous_of(const FileSet& files) {
  PreviousCluster previous;
  previous.index = make_index(files, {});
  for (const RenderedFile& file : files.files()) {
    previous.files.push_back({std::string(files.path_in_cluster(file)), PreviousFile::State::Intact, file.body.text()});
  }
  return previous;
}

void touch(PreviousCluster& previous, const Case& test) {
  for (DiskEntry& entry : entries_of(test.find("touched"))) {
    for (PreviousFile& file : previous.files) {
      if (file.path != entry.path) continue;
      file.state = entry.content.empty() ? PreviousFile::State::Missing : PreviousFile::State::Edited;
      file.text = std::move(entry.content);
    }
  }
}

}  // namespace

bool is_rotation_option(std::string_view key) { return key == "rotated" || key == "retain" || key == "delivery"; }

bool rotates(const Case& test) { return !option(test, "rotated").empty(); }

RenderedCase rotate_case(const Case& test, const Value& values, const RenderValues& render, Stage& stage) {
  const std::vector<std::string> kinds = list_of(option(test, "rotated"));
  const std::string retain = option(test, "retain");
  PreviousCluster previous;
  rotation::KeepOptions options{previous};
  if (!retain.empty()) options.generations = static_cast<std::uint32_t>(std::atoi(retain.c_str()));
  options.force = option(test, "force") == "true";
  options.by_flux = option(test, "delivery") == "flux";

  std::vector<Value> history;
  if (const Block* earlier = test.find("earlier.yaml")) {
    const FileId file = stage.sources.add("earlier.yaml", earlier->text);
    for (const YamlDocument& document : read_yaml_documents(file, stage)) history.push_back(document.value);
  }
  history.push_back(values);
  RenderedCase result;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (i + 1 == history.size()) touch(previous, test);
    result = render(history[i]);
    const rotation::ReadManifests manifests = manifests_of(result.files, stage);
    result.files = rotation::rotate_names(std::move(result.files), manifests, {kinds, result.trace, previous}, stage);
    if (previous.index && !stage.sink.failed()) {
      result.files = rotation::keep_generations(std::move(result.files), previous, options, result.trace, stage);
    }
    previous = previous_of(result.files);
  }
  return result;
}

std::string dump_names(const FileSet& files) {
  std::string text;
  for (const RotatedObject& object : files.rotation().objects) {
    text += fmt::format("{} {} {}", object.kind, object.name, object.file);
    text += object.retired == 0 ? "\n" : fmt::format(" (retired {})\n", object.retired);
  }
  return text;
}

}  // namespace capwright::spec
