// A plugin has the name of its plugin.yaml; that of the built-in one has no version.
#include "lint/facts/plugin_sources.h"

#include "lint/facts/cluster_applications.h"
#include "lint/facts/git_patterns.h"
#include "lint/model/repository_clusters.h"

namespace capwright::lint {

bool renders_values(const ChartSource& source) { return source.node["plugin.name"].text() == "capwright"; }

std::vector<ChartSource> plugin_sources(const Object& application) {
  std::vector<ChartSource> found;
  for (const ChartSource& source : sources_of(application)) {
    if (renders_values(source)) found.push_back(source);
  }
  return found;
}

std::vector<Node> plugin_parameters(const ChartSource& source, std::string_view name) {
  std::vector<Node> found;
  for (const Node parameter : source.node["plugin.parameters"].items()) {
    if (parameter["name"].text() == name) found.push_back(parameter);
  }
  return found;
}

bool renders_cluster(const Object& application, const ChartSource& source, const RepositoryClusters& clusters,
                     const std::string& values_file) {
  const std::vector<Node> named = plugin_parameters(source, "cluster");
  const std::string_view name = named.empty() ? std::string_view() : named.front()["string"].text();
  if (name.empty() || (!is_generated(source.repository) && !clusters.may_be_at(source.repository))) return false;
  if (!is_generated(name)) return clusters.values_file(name, source.path) == values_file;
  const std::string path = clusters.in_git(values_file);
  for (const Node git : git_generators(application)) {
    for (const Node file : git["files"].items()) {
      if (!file["exclude"].is_true() && may_match_file(file["path"].text(), path)) return true;
    }
  }
  return false;
}

}  // namespace capwright::lint
