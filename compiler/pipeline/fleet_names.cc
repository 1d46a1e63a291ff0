// Names come from the texts of values files where possible, because loading the values of a fleet takes seconds.
#include "pipeline/fleet_names.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "pipeline/compile_cluster.h"
#include "rotation/naming.h"
#include "rotation/tombstones.h"

namespace capwright {
namespace {

bool continues(std::string_view longer, std::string_view shorter) {
  return longer.size() > shorter.size() && longer.starts_with(shorter) && longer[shorter.size()] == '-';
}

// Empty: unknown.
std::optional<std::string> namespace_of(const NamedCluster& cluster, Project& project) {
  const auto loaded = load_cluster(cluster.values_path, project);
  if (!loaded->clean()) return std::nullopt;
  if (loaded->values.find("namespace") == nullptr) return loaded->name;
  const auto space = rotation::string_at(loaded->values, "namespace");
  return space ? std::optional<std::string>(*space) : std::nullopt;
}

}  // namespace

std::string name_in_text(const std::string& values_path, const Project& project) {
  const ExtraValues& extra = project.options().extra;
  const bool is_own = extra.files.empty() && std::none_of(extra.sets.begin(), extra.sets.end(), [](const auto& set) {
                        return set.assignment.find("cluster_name") != std::string::npos;
                      });
  const std::string io_path = project.workspace().io_path(values_path);
  FileStat stat;
  std::string text;
  // A special file, such as a pipe, can only be read once.
  if (!is_own || project.fs().stat(io_path, stat) || stat.type != FileType::Regular) return {};
  if (project.fs().read(io_path, text, project.options().limits.input_bytes)) return {};
  return std::string(stated_name(text));
}

const std::vector<NamedCluster>& named_clusters(Project& project) {
  return project.all_clusters([&project] {
    std::vector<NamedCluster> clusters;
    Sink ignored;  // commands for all clusters report unreadable folders
    for (std::string& path : find_values_files(project.fs(), project.workspace(), project.config(), ignored)) {
      std::string name = name_in_text(path, project);
      if (name.empty()) name = load_cluster(path, project)->name;
      clusters.push_back({std::move(name), std::move(path)});
    }
    return clusters;
  });
}

std::vector<std::string> values_files_named(std::string_view cluster, const std::vector<std::string>& files,
                                            Project& project) {
  std::vector<std::string> found;
  std::copy_if(files.begin(), files.end(), std::back_inserter(found),
               [&](const std::string& file) { return cluster_stem(file) == cluster; });
  if (!found.empty()) return found;
  for (const NamedCluster& each : named_clusters(project)) {
    if (each.name == cluster) found.push_back(each.values_path);
  }
  return found;
}

std::vector<NamedCluster> related_clusters(std::string_view cluster, Project& project) {
  std::vector<NamedCluster> related;
  const std::vector<NamedCluster>& all = named_clusters(project);
  std::copy_if(all.begin(), all.end(), std::back_inserter(related), [&](const NamedCluster& each) {
    return continues(each.name, cluster) || continues(cluster, each.name);
  });
  return related;
}

std::string other_owner(std::string_view cluster, std::string_view space, std::string_view name, Project& project) {
  for (const NamedCluster& other : related_clusters(cluster, project)) {
    if (!rotation::may_belong_to(other.name, std::nullopt, space, name)) continue;
    if (rotation::may_belong_to(other.name, namespace_of(other, project), space, name)) return other.name;
  }
  return {};
}

bool may_lose_entries(const OutputTree& tree, const std::string& cluster, Project& project) {
  const std::string path = cluster + "/" + std::string(rotation::kTombstoneFile);
  return tree.has_clusters() && tree.fs().exists(tree.clusters() / path) && !related_clusters(cluster, project).empty();
}

}  // namespace capwright
