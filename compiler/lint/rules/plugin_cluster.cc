// CAP821: Applications of capwright's plugin that name no cluster of the repository.
#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/plugin_sources.h"
#include "lint/model/repository_clusters.h"
#include "pipeline/layers.h"

namespace capwright::lint::rules::plugin_cluster {
namespace {

void check_known(const Node& cluster, const ChartSource& source, const RepositoryClusters& clusters, Report& report) {
  constexpr std::size_t kMostNames = 10;
  const std::string_view name = cluster.text();
  if (is_generated(name) || is_generated(source.path) || is_generated(source.repository)) return;
  if (!clusters.may_be_at(source.repository) || clusters.values_files().empty()) return;
  if (clusters.has(name, source.path)) return;
  std::vector<std::string_view> names;
  for (const std::string& file : clusters.values_files()) names.push_back(cluster_stem(file));
  Finding& finding = report.at(cluster, "no cluster or values file of this repository is named `{}`", name);
  finding.note("a path is relative to the source's `path`, `{}`", source.path.empty() ? "." : source.path);
  const std::string_view best = nearest(name, names);
  if (best.empty()) finding.help("the clusters are {}", list_names(names, kMostNames));
  else finding.help("did you mean `{}`?", best);
}

void check(const Object& application, Report& report) {
  for (const ChartSource& source : plugin_sources(application)) {
    const std::vector<Node> given = plugin_parameters(source, "cluster");
    const bool is_missing = given.empty() || given.front()["string"].text().empty();
    if (is_missing) {
      const Node parameters = source.node["plugin.parameters"];
      report.at(parameters ? parameters : source.node["plugin.name"], "the parameter `cluster` is missing")
          .note("the plugin reports an error, unless its plugin.yaml has `--all` after `generate`")
          .help("add `- {{name: cluster, string: NAME}}` to `parameters`")
          .as(Severity::Warning);
      continue;
    }
    const RepositoryClusters* clusters = application.cluster().context().clusters;
    if (clusters != nullptr) check_known(given.front()["string"], source, *clusters, report);
  }
}

}  // namespace

CW_LINT_RULE(plugin_cluster){
    .code = "CAP821",
    .name = "plugin-cluster",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application ApplicationSet",
    .docs = R"md(
## What it does

Reports an Application of [capwright's plugin](argocd.md#the-plugin) whose parameter `cluster` is missing, or names no cluster and no
values file of this repository.

## Why is this bad?

The plugin reports an error for the whole Application, so nothing is synced. It shows only in Argo CD.

The rule compares the name with the values files in the folders of `values` in `capwright.yaml`. If the Application reads another
repository, set `argocd.repo_url` in `capwright.yaml`: Applications with another `repoURL` are left out.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-a}
spec:
  source:
    plugin:
      name: capwright
      parameters:   # warning: [plugin-cluster] "the parameter `cluster` is missing"
        - {name: part, string: cluster}
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-a}
spec:
  source:
    plugin:
      name: capwright
      parameters:
        - {name: cluster, string: prod-a}
        - {name: part, string: cluster}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::plugin_cluster
