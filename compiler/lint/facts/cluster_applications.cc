// Sources are recognized by their paths, and by the names of plugins.
#include "lint/facts/cluster_applications.h"

#include <algorithm>

#include "lint/facts/plugin_sources.h"

namespace capwright::lint {
namespace {

// schemas/argocd/applicationset.yaml.j2
constexpr std::string_view kPrintedPath = R"({{ .path.path }}{{ if eq .part "addons" }}/addons{{ end }})";
constexpr std::string_view kAddonsFolder = "/addons";

void add_git_generators(const Node& generators, std::vector<Node>& found) {
  for (const Node generator : generators.items()) {
    if (generator["git"]) found.push_back(generator["git"]);
    add_git_generators(generator["matrix.generators"], found);
    add_git_generators(generator["merge.generators"], found);
  }
}

bool has_condition(std::string_view path) { return is_generated(path) && path.find("if ") != std::string_view::npos; }

bool lists_clusters(const Object& set) {
  for (const Node git : git_generators(set)) {
    for (const Node directory : git["directories"].items()) {
      if (!directory["exclude"].is_true() && is_below_clusters(directory["path"].text())) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<Node> git_generators(const Object& set) {
  std::vector<Node> found;
  add_git_generators(set["spec.generators"], found);
  return found;
}

bool is_below_clusters(std::string_view path) {
  return path.starts_with("clusters/") || path.find("/clusters/") != std::string_view::npos;
}

bool may_read_addons(const ChartSource& source) {
  return source.chart.empty() && source.path.find(kAddonsFolder) != std::string_view::npos;
}

bool reads_cluster(const ChartSource& source) {
  std::string_view path = source.path;
  while (path.ends_with('/')) path.remove_suffix(1);
  if (!source.chart.empty()) return false;
  if (path == "clusters" ||
      path.ends_with("/clusters")) {  // all of them; patterns of files may leave out the manifests
    const Node directory = source.node["directory"];
    return directory["recurse"].is_true() && directory["include"].text().empty();
  }
  const bool is_of_addons = may_read_addons(source) && !has_condition(path);
  return is_below_clusters(path) && !is_of_addons;
}

bool has_own_plugin(const ChartSource& source) {
  const std::string_view name = source.node["plugin.name"].text();
  return name == "capwright" || name == "capwright-avp" || name == "capwright-sops";
}

bool has_parts(const Object& set) {
  return set["spec.template.metadata.name"].text().find(".part") != std::string_view::npos;
}

bool generates_clusters(const Object& set) {
  if (set.kind() != "ApplicationSet" || set.group() != "argoproj.io") return false;
  const std::vector<ChartSource>& sources = sources_of(set);
  return std::any_of(sources.begin(), sources.end(), [&](const ChartSource& source) {
    if (!source.chart.empty()) return false;
    if (reads_cluster(source) || (has_own_plugin(source) && source.node["plugin.name"].text() == "capwright"))
      return true;
    const bool is_of_addons = may_read_addons(source) && !has_condition(source.path);
    return is_generated(source.path) && !is_of_addons && lists_clusters(set);
  });
}

bool is_printed_set(const Object& object) {
  if (object.kind() != "ApplicationSet" || object.group() != "argoproj.io") return false;
  const std::vector<ChartSource>& sources = sources_of(object);
  if (sources.size() != 1) return false;
  if (sources.front().path == kPrintedPath) return true;
  if (sources.front().node["plugin.name"].text() != "capwright") return false;
  const std::vector<Node> named = plugin_parameters(sources.front(), "cluster");
  return !named.empty() && is_generated(named.front()["string"].text());
}

}  // namespace capwright::lint
