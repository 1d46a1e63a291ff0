// CAP829: Applications that apply a folder of the tree that doesn't exist, or that of another cluster.
#include <fmt/format.h>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "lint/facts/tree_path.h"
#include "lint/model/repository_clusters.h"
#include "pipeline/layers.h"

namespace capwright::lint::rules::application_path {
namespace {

constexpr std::size_t kMostNames = 10;
constexpr std::string_view kNothingApplied = "Argo CD reports that the path doesn't exist, and applies nothing";

// `path` with another cluster.
std::string path_of(std::string_view path, std::string_view cluster, std::string_view wanted) {
  std::string other(path);
  other.replace(path.rfind(cluster), cluster.size(), wanted);
  return other;
}

void report_missing(const Node& path, const TreePath& named, const RepositoryClusters& clusters, Report& report) {
  std::vector<std::string_view> names;
  for (const std::string& file : clusters.values_files()) names.push_back(cluster_stem(file));
  Finding& finding = report.at(path, "no folder is at `{}`, and no values file makes it", path.text());
  finding.note("{}", kNothingApplied);
  const std::string_view best = nearest(named.cluster, names);
  if (!best.empty()) finding.help("did you mean `{}`?", path_of(path.text(), named.cluster, best));
  else
    finding.help("delete the Application if the cluster was deleted; the clusters are {}",
                 list_names(names, kMostNames));
}

void report_ignored(const Node& path, std::string_view folder, Report& report) {
  report.at(path, "Git ignores the files in `{}`, so no commit has them", folder)
      .note("{}", kNothingApplied)
      .help("remove what ignores them from `.gitignore`, and `git add` them");
}

// The cluster that the Application is called like: `prod-a-addons` is that of `prod-a`.
std::string_view cluster_of_name(const Object& application, const RepositoryClusters& clusters) {
  constexpr std::string_view kAddons = "-addons";
  std::string_view wanted = application.name();
  if (clusters.values_file(wanted, "").empty() && wanted.ends_with(kAddons)) wanted.remove_suffix(kAddons.size());
  return wanted;
}

// An Application is called like its cluster, as `capwright argocd applicationset` names them.
void check_name(const Object& application, const Node& path, const TreePath& named, const RepositoryClusters& clusters,
                Report& report) {
  const std::string_view wanted = cluster_of_name(application, clusters);
  const std::string values = clusters.values_file(wanted, "");
  if (values.empty() || values == clusters.values_file(named.cluster, "")) return;
  report.at(path, "the Application `{}` applies the cluster `{}`", application.name(), named.cluster)
      .also(application["metadata.name"], fmt::format("named like the cluster `{}`", wanted))
      .note("`{}` defines that cluster, and it isn't applied by the Application of its name", values)
      .help("set `path: {}`, or rename the Application", path_of(path.text(), named.cluster, wanted));
}

// A folder that isn't in `clusters/`, of an Application that is called like a cluster. Reported only if the repository
// is known to be this one.
void check_elsewhere(const Object& application, const ChartSource& source, const RepositoryClusters& clusters,
                     const std::string& tree, Report& report) {
  const Node path = source.node["path"];
  std::string_view folder = path.text();
  while (folder.starts_with("./") || folder.starts_with('/')) folder.remove_prefix(folder.starts_with('/') ? 1 : 2);
  const bool is_known = !folder.empty() && folder != "." && !is_generated(folder) &&
                        folder.find("..") == std::string_view::npos && folder.find('$') == std::string_view::npos;
  if (!is_known || clusters.has_folder(folder)) return;
  const std::string_view cluster = cluster_of_name(application, clusters);  // may load clusters for their names
  if (clusters.values_file(cluster, "").empty()) return;
  report.at(path, "this repository has no folder `{}`", path.text())
      .note("{}", kNothingApplied)
      .help("set `path: {}clusters/{}`, or commit the folder", tree, cluster);
}

// Also by the URL that a layer of all clusters sets.
bool is_own(const ChartSource& source, const RepositoryClusters& clusters) {
  if (!source.chart.empty() || !source.ref.empty() || !clusters.may_be_at(source.repository)) return false;
  const std::string shared = clusters.argocd_value("repo_url").text;
  return shared.empty() || !clusters.config().argocd.repo_url.empty() ||
         normal_git_url(shared) == normal_git_url(source.repository);
}

void check(const Object& application, Report& report) {
  const Context& context = application.cluster().context();
  const RepositoryClusters* clusters = context.clusters;
  if (!is_application(application) || clusters == nullptr || clusters->values_files().empty()) return;
  for (const ChartSource& source : sources_of(application)) {
    const std::optional<TreePath> named = tree_path(source.path, context.tree_in_git);
    if (!is_own(source, *clusters)) continue;
    const bool is_certain =
        !clusters->config().argocd.repo_url.empty() || !clusters->argocd_value("repo_url").text.empty();
    if (!named && is_certain) check_elsewhere(application, source, *clusters, context.tree_in_git, report);
    if (!named || named->cluster.empty()) continue;
    const Node path = source.node["path"];
    const std::string folder = fmt::format("{}clusters/{}", context.tree_in_git, named->cluster);
    const std::string part = named->rest.empty() ? folder : fmt::format("{}/{}", folder, named->rest);
    if (clusters->ignores(part)) report_ignored(path, part, report);
    else if (clusters->has(named->cluster, "")) check_name(application, path, *named, *clusters, report);
    else if (!clusters->folders().contains(std::string(named->cluster)))
      report_missing(path, *named, *clusters, report);
  }
}

}  // namespace

CW_LINT_RULE(application_path){
    .code = "CAP829",
    .name = "application-path",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "Application",
    .docs = R"md(
## What it does

Reports an Application of Argo CD for a folder in `clusters/` that doesn't exist and that no values file makes, or that Git ignores,
and one that is called like a cluster of this repository, but applies another one, or a folder that doesn't exist.

## Why is this bad?

Argo CD applies nothing from a path that doesn't exist, and only its UI says so. If `prod-a` applies `clusters/dev-a`, no commit to
`values/prod-a.yaml` reaches the cluster, and two Applications may own the objects of `dev-a`.

Paths are compared with the values files in the folders of `values` in `capwright.yaml`. If the Application reads another repository,
set `argocd.repo_url` in `capwright.yaml` or in a layer of all clusters: Applications with another `repoURL` are left out.

## Example

```yaml file=capwright.yaml
values: [fleet]
argocd: {repo_url: "https://git.example.com/fleet.git"}
```
```yaml file=fleet/dev-a.yaml
cluster_name: dev-a
```
```yaml file=fleet/prod-a.yaml
cluster_name: prod-a
```
```yaml file=argocd/prod-a.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-a}
spec:
  source:
    repoURL: https://git.example.com/fleet.git
    path: clusters/dev-a   # warning: [application-path] "the Application `prod-a` applies the cluster `dev-a`"
```

## Use instead

```yaml file=capwright.yaml
values: [fleet]
argocd: {repo_url: "https://git.example.com/fleet.git"}
```
```yaml file=fleet/dev-a.yaml
cluster_name: dev-a
```
```yaml file=fleet/prod-a.yaml
cluster_name: prod-a
```
```yaml file=argocd/prod-a.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-a}
spec:
  source:
    repoURL: https://git.example.com/fleet.git
    path: clusters/prod-a
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::application_path
