// CAP828: Applications, and templates of ApplicationSets, that apply the same folder of the tree.
#include <fmt/format.h>
#include <optional>
#include <set>
#include <vector>

#include "lint/engine/rule.h"
#include "lint/facts/argocd_folder.h"
#include "lint/facts/cluster_applications.h"
#include "lint/facts/plugin_sources.h"
#include "lint/facts/tree_path.h"
#include "lint/model/repository_clusters.h"
#include "pipeline/layers.h"

namespace capwright::lint::rules::application_overlap {
namespace {

using Applier = ArgoCdFolder::Applier;

constexpr std::string_view kAddons = "/addons";

bool is_same(const Object& a, const Object& b) {
  return a.kind() == b.kind() && a.space() == b.space() && a.name() == b.name();
}

// Whether two texts are known to differ: what a template of an ApplicationSet computes is unknown.
bool differ(std::string_view a, std::string_view b) {
  return !a.empty() && !b.empty() && a != b && !is_generated(a) && !is_generated(b);
}

// The cluster that they apply to, or the repository that they read.
bool is_for_another(const Object& a, const ChartSource& from_a, const Object& b, const ChartSource& from_b) {
  if (differ(normal_git_url(from_a.repository), normal_git_url(from_b.repository))) return true;
  const Node one = application_in(a)["spec.destination"], other = application_in(b)["spec.destination"];
  return differ(one["server"].text(), other["server"].text()) || differ(one["name"].text(), other["name"].text());
}

bool may_read_cluster(const Object& object, const ChartSource& source) {
  if (is_generated(source.path)) return generates_clusters(object);
  return reads_cluster(source) || source.node["directory.recurse"].is_true();  // of a folder above
}

// A folder of the tree, as in Git: that of a cluster, or of its add-ons.
struct Part {
  std::string folder;
  bool is_addons = false;
  std::string cluster;

  // The plugin renders a cluster from its values file.
  bool is_rendered_by(const Object& object, const ChartSource& source, const RepositoryClusters& clusters) const {
    const std::vector<Node> given = plugin_parameters(source, "part");
    const std::string_view part = given.empty() ? "all" : given.front()["string"].text();
    const bool has_part = part.empty() || part == "all" || is_generated(part) || (part == "addons") == is_addons;
    if (!has_part) return false;
    const std::string values_file = clusters.values_file(cluster, "");
    return !values_file.empty() && renders_cluster(object, source, clusters, values_file);
  }
  bool is_applied_by(const Object& object, const ChartSource& source, const RepositoryClusters& clusters) const {
    if (renders_values(source)) return is_rendered_by(object, source, clusters);
    if (!(is_addons ? may_read_addons(source) : may_read_cluster(object, source))) return false;
    if (!source.node["directory.include"].text().empty()) return false;  // perhaps no file of the folder
    if (applies(object, source, folder)) return true;
    const std::string_view above = std::string_view(folder).substr(0, folder.size() - kAddons.size());
    return is_addons && is_generated(source.path) && applies(object, source, above);
  }
};

// Those that the source may apply, also of clusters that aren't rendered yet.
std::vector<Part> parts_of(const ChartSource& source, const Context& context) {
  const std::optional<TreePath> named = tree_path(source.path, context.tree_in_git);
  const auto folder_of = [&](std::string_view name) { return fmt::format("{}clusters/{}", context.tree_in_git, name); };
  if (named && !named->cluster.empty() && !renders_values(source)) {
    const std::string folder = folder_of(named->cluster), cluster(named->cluster);
    if (named->rest.empty()) return {{folder, false, cluster}};
    if (named->rest == kAddons.substr(1)) return {{folder + std::string(kAddons), true, cluster}};
    return {};
  }
  std::set<std::string> names = context.clusters->folders();
  for (const std::string& file : context.clusters->values_files()) names.emplace(cluster_stem(file));
  std::vector<Part> parts;
  for (const std::string& name : names) {
    parts.push_back({folder_of(name), false, name});
    parts.push_back({folder_of(name) + std::string(kAddons), true, name});
  }
  return parts;
}

// The first other one in the folder `argocd/` for the same part; of two that are there, only the second one has it.
const Applier* other_applier(const Object& object, const ChartSource& source, const Part& part,
                             const ArgoCdFolder& folder) {
  for (const Applier& each : folder.appliers()) {
    if (is_same(*each.object, object)) return nullptr;
    const bool overlaps = part.is_applied_by(*each.object, *each.source, *object.cluster().context().clusters);
    if (overlaps && !is_for_another(object, source, *each.object, *each.source)) return &each;
  }
  return nullptr;
}

void check(const Object& object, Report& report) {
  const Context& context = object.cluster().context();
  if (context.clusters == nullptr || context.argocd == nullptr || object.group() != "argoproj.io") return;
  for (const ChartSource& source : sources_of(object)) {
    const Applier* first = nullptr;
    std::string folder;
    std::size_t count = 0;
    if (!may_read_cluster(object, source) && !may_read_addons(source) && !renders_values(source)) continue;
    for (const Part& part : parts_of(source, context)) {
      const Applier* other = part.is_applied_by(object, source, *context.clusters)
                                 ? other_applier(object, source, part, *context.argocd)
                                 : nullptr;
      if (other == nullptr) continue;
      if (count++ == 0) folder = part.folder;
      if (first == nullptr) first = other;
    }
    if (first == nullptr) continue;
    report
        .at(renders_values(source) ? source.node["plugin"] : source.node["path"], "the {} `{}` applies `{}`{}, too",
            first->object->kind(), first->object->name(), folder,
            count == 1 ? "" : fmt::format(" and {} more", count - 1))
        .note("it is in `{}`", first->file())
        .note("each of them takes the objects from the other, and deletes them with itself or when it prunes")
        .help("let one Application apply each folder: remove this one, or leave the folder out of the other");
  }
}

}  // namespace

CW_LINT_RULE(application_overlap){
    .code = "CAP828",
    .name = "application-overlap",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "Application ApplicationSet",
    .docs = R"md(
## What it does

Reports an Application or ApplicationSet of Argo CD for the folder of a cluster, or of its add-ons, that another one in the folder
`argocd/` applies, too, or that the plugin renders for another one.

## Why is this bad?

Argo CD tracks an object for one Application. Two that apply the same folder take its objects from each other with every sync, and Argo CD
reports `SharedResourceWarning`. If one of them is deleted with its finalizer, or prunes, the objects of the other one are gone: with them a
whole cluster.

Two with different `repoURL`s or different destinations are left out, as far as both are written out.

## Example

```yaml file=capwright.yaml
values: [fleet]
```
```yaml file=fleet/prod-a.yaml
cluster_name: prod-a
```
```yaml file=argocd/clusters.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators:
    - git:
        repoURL: https://git.example.com/fleet.git
        directories: [{path: clusters/*}]
  template:
    spec:
      source: {repoURL: https://git.example.com/fleet.git, path: "{{ .path.path }}"}
```
```yaml file=argocd/own.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: debug}
spec:
  source:
    repoURL: https://git.example.com/fleet.git
    path: clusters/prod-a   # warning: [application-overlap] "the ApplicationSet `clusters` applies `clusters/prod-a`, too"
```

## Use instead

```yaml file=capwright.yaml
values: [fleet]
```
```yaml file=fleet/prod-a.yaml
cluster_name: prod-a
```
```yaml file=argocd/clusters.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators:
    - git:
        repoURL: https://git.example.com/fleet.git
        directories: [{path: clusters/*}, {path: clusters/prod-a, exclude: true}]
  template:
    spec:
      source: {repoURL: https://git.example.com/fleet.git, path: "{{ .path.path }}"}
```
```yaml file=argocd/own.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: debug}
spec:
  source:
    repoURL: https://git.example.com/fleet.git
    path: clusters/prod-a
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::application_overlap
