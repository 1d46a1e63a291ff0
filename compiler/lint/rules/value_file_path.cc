// CAP813: value files of charts that don't exist at the Application's path.
#include <algorithm>

#include "diag/suggest.h"
#include "files/path_rules.h"
#include "lint/engine/rule.h"
#include "lint/facts/argocd_folder.h"
#include "lint/facts/cluster_addons.h"
#include "lint/facts/plugin_sources.h"
#include "lint/model/repository_clusters.h"

namespace capwright::lint::rules::value_file_path {
namespace {

// "clusters/a/addons/x/values.yaml" from a longer path; empty if it leads elsewhere.
std::string_view within_clusters(std::string_view path) {
  constexpr std::string_view kFolder = "clusters/";
  for (std::size_t at = path.find(kFolder); at != std::string_view::npos; at = path.find(kFolder, at + 1)) {
    if (at == 0 || path[at - 1] == '/') return path.substr(at);
  }
  return {};
}

std::string_view file_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
std::string_view folder(std::string_view path) { return path.substr(0, std::min(path.size(), path.rfind('/'))); }

bool ends_in(std::string_view path, std::string_view end) {
  return path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

// Possible targets: files with that name, and files in the folder of the path.
struct Candidates {
  std::vector<std::string_view> paths;  // of files with that name
  std::vector<std::string_view> names;  // of values in that folder
  bool knows_folder = false;            // the run includes the complete folder
};

Candidates candidates_for(std::string_view path, const Cluster& cluster) {
  Candidates found;
  const std::string_view wanted = folder(path);
  for (const File& file : cluster.files()) {
    if (file_name(file.path) == file_name(path)) found.paths.push_back(within_clusters(file.path));
    const std::string_view there = folder(file.path);
    const bool is_beside = there != file.path && (ends_in(there, wanted) || ends_in(wanted, there));
    if (!is_beside || (file.rendered == nullptr && file.target_kind == TargetKind::Named)) continue;
    found.knows_folder = true;
    if (!file.root()["kind"]) found.names.push_back(file_name(file.path));
  }
  return found;
}

// In a folder on disk only manifests are read, and nothing whose name starts with a dot.
bool would_be_seen(std::string_view path) { return has_data_name(path) && path.find("/.") == std::string_view::npos; }

void suggest(Finding& finding, const Node& place, std::string_view path, const Candidates& candidates) {
  std::string best(nearest(path, candidates.paths));
  const std::string_view name = nearest(file_name(path), candidates.names);
  if (best.empty() && !name.empty()) best = fmt::format("{}/{}", folder(path), name);
  if (best.empty()) {
    if (!candidates.names.empty()) finding.help("in `{}` there is {}", folder(path), list_names(candidates.names));
    return;
  }
  finding.help("did you mean `{}`?", best);
  const std::string_view text = place.text();
  const std::string kept(text.substr(0, text.size() - path.size()));
  finding.fix(place, kept + best, Safety::Unsafe, "name the existing file");
}

// Whether `argocd.path` is the schema's default, the top of the Git repository.
bool is_default(const Node& path) {
  return (*path.document()->origins)[path.value().origin()].kind == Origin::Kind::SchemaDefault;
}

// Whether the source that `$name/…` refers to may be this repository.
bool is_read_here(const Object& application, std::string_view text, const RepositoryClusters& own) {
  const std::vector<ChartSource>& sources = sources_of(application);
  const auto is_named = [&](const ChartSource& source) {
    return !source.ref.empty() && text.starts_with(fmt::format("${}/", source.ref));
  };
  const auto source = std::find_if(sources.begin(), sources.end(), is_named);
  return source == sources.end() || own.may_be_at(source->repository);
}

std::string shown_folder(std::string_view folder) {
  return folder.empty() ? "the top of the Git repository" : fmt::format("`{}` of the Git repository", folder);
}

// The file exists; `path` is where it is below `clusters/`. Templates of one's own may use other keys than
// `argocd.path`.
void check_folder(const Node& place, std::string_view path, const Object& application, Report& report) {
  const Cluster& cluster = application.cluster();
  const RepositoryClusters* own = cluster.context().clusters;
  const Node set = cluster.compiled() != nullptr ? cluster.values()["argocd.path"] : Node();
  if (own == nullptr || !set || !own->tree_folder()) return;
  const std::string& tree = *own->tree_folder();
  const std::string_view named = set.text();
  std::string_view there = place.text();  // "$values/fleet/"
  there = there.substr(there.find('/') + 1, there.size() - path.size() - there.find('/') - 1);
  const bool is_used = named.empty() ? there.empty() : there.starts_with(named) && there.size() == named.size() + 1;
  if (!is_used || named == tree || !is_read_here(application, place.text(), *own)) return;
  if (!named.empty()) {
    Finding& finding = report.at(set, "`argocd.path` is `{}`, but `clusters/` is at {}", named, shown_folder(tree));
    finding.note("Argo CD doesn't find the value files of the add-ons there, and can't render the charts");
    if (tree.empty()) finding.help("remove it");
    else finding.help("set it to `{}`", tree);
  } else if (is_default(set)) {
    Finding& finding = report.at(place, "`{0}` is at `{1}/{0}` in Git", path, tree);
    finding.note("Argo CD looks from the top of the Git repository, and can't render the chart");
    finding.advises_value = true;
    finding.help(
        "set `argocd: {{path: {}}}` in a layer of all clusters, or `path: \"\"` if Argo CD reads another repository",
        tree);
  }
}

void check_file(const Node& place, const Object& application, Report& report) {
  const Cluster& cluster = application.cluster();
  const std::string_view text = place.text();
  const std::size_t slash = text.find('/');
  if (!text.starts_with('$') || slash == std::string_view::npos) return;
  const std::string_view path = within_clusters(text.substr(slash + 1));
  // Argo CD replaces variables, and expands patterns to all matching files.
  if (path.empty() || path.find_first_of("$*?[{") != std::string_view::npos) return;
  if (file_at(cluster, path) != nullptr) return check_folder(place, path, application, report);
  const Candidates candidates = candidates_for(path, cluster);
  // Otherwise the tree is incomplete, so the file may exist.
  if (candidates.paths.empty() && !(candidates.knows_folder && would_be_seen(path))) return;
  Finding& finding = report.at(place, "file `{}` doesn't exist", path);
  finding.note("without it, Argo CD can't render the chart");
  const std::string own = fmt::format("clusters/{}/", cluster.name());
  if (path.starts_with(own)) suggest(finding, place, path, candidates);
  else finding.help("the files of this cluster are in `{}`", own);
}

void check(const Object& application, Report& report) {
  if (!is_application(application) || application.cluster().name().empty()) return;
  for (const ChartSource& source : sources_of(application)) {
    if (source.node["helm.ignoreMissingValueFiles"].is_true()) continue;
    for (const Node file : source.value_files()) check_file(file, application, report);
  }
}

// The Application or ApplicationSet whose plugin renders the cluster; null: none.
const ArgoCdFolder::Applier* renderer_of(const Cluster& cluster) {
  const Context& context = cluster.context();
  const auto& all = context.argocd->appliers();
  const auto found = std::ranges::find_if(all, [&](const ArgoCdFolder::Applier& each) {
    return each.source->node["plugin.name"].text() == "capwright" &&
           renders_cluster(*each.object, *each.source, *context.clusters, cluster.compiled()->values_path);
  });
  return found == all.end() ? nullptr : &*found;
}

// The first value file of an add-on that is in the tree, at the revision that the plugin reads.
Node file_in_tree(const Cluster& cluster, const ChartSource& plugin) {
  const std::string folder = fmt::format("/{}clusters/{}/", cluster.context().tree_in_git, cluster.name());
  for (const Object* application : cluster.of_kind("Application")) {
    const std::vector<ChartSource>& sources = sources_of(*application);
    const auto tree = std::ranges::find_if(sources, [](const ChartSource& each) { return !each.ref.empty(); });
    if (tree == sources.end() || tree->revision != plugin.revision ||
        normal_git_url(tree->repository) != normal_git_url(plugin.repository))
      continue;
    for (const ChartSource& source : sources) {
      for (const Node file : source.value_files()) {
        const std::string_view text = file.text();
        if (text.substr(std::min(text.find('/'), text.size())).starts_with(folder)) return file;
      }
    }
  }
  return {};
}

// Add-ons read a tree that isn't committed, because the plugin renders the cluster.
void check_tree(const Cluster& cluster, Report& report) {
  const Context& context = cluster.context();
  const bool is_known = context.clusters != nullptr && context.argocd != nullptr && cluster.compiled() != nullptr;
  if (!is_known || cluster.name().empty() || context.clusters->folders().contains(std::string(cluster.name()))) return;
  const ArgoCdFolder::Applier* renderer = renderer_of(cluster);
  const Node file = renderer == nullptr ? Node() : file_in_tree(cluster, *renderer->source);
  if (!file) return;
  const Node addons = cluster.values()["addons"];
  report
      .at(addons ? addons : file,
          "add-ons read their chart values from the rendered tree, which isn't in the repository")
      .note("`{}` renders the cluster with the plugin, and Argo CD reads `{}` from Git", renderer->file(), file.text())
      .help("commit `{}clusters/*/addons`, or install add-ons in another way", context.tree_in_git)
      .as(Severity::Warning);
}

}  // namespace

CW_LINT_RULE(value_file_path){
    .code = "CAP813",
    .name = "value-file-path",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application",
    .docs = R"md(
## What it does

Reports an Application that names a file of chart values that isn't in the tree.

## Why is this bad?

Argo CD can't render the chart, so the add-on is neither installed nor updated. Typical causes are a copied cluster folder
with paths to the original, a renamed add-on folder, and a misspelled file name.

The rule checks paths in `clusters/`, if other files of the folder are part of the run or another folder has a file of that
name. `ignoreMissingValueFiles: true` and patterns such as `*.yaml` are exempt.

If `clusters/` isn't at `argocd.path` of the Git repository, all paths of rendered Applications are wrong: the rule reports it, too.
Outside of a Git working tree, it can't. Applications are exempt if the values set `path: ""` below the top of the working tree, or
if they read another repository than `argocd.repo_url` of `capwright.yaml`.

A warning is about a cluster without a folder in `clusters/` that an Application or ApplicationSet in `argocd/` renders with
[the plugin](argocd.md#the-plugin), while its add-ons read value files from there.

## Example

```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  sources:
    - chart: openstack-cinder-csi
      helm:
        valueFiles:
          - $values/deploy/clusters/a/addons/cinder_csi/values.yaml   # error: [value-file-path] "file `clusters/a/addons/cinder_csi/values.yaml` doesn't exist"
          - $values/deploy/clusters/old/addons/cinder-csi/values.yaml   # error: [value-file-path]
    - {ref: values}
```
```yaml file=clusters/a/addons/cinder-csi/values.yaml
secret: {create: false}
```

## Use instead

```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  sources:
    - chart: openstack-cinder-csi
      helm:
        valueFiles:
          - $values/deploy/clusters/a/addons/cinder-csi/values.yaml
          - $values/common/cinder.yaml
    - {ref: values}
```
```yaml file=clusters/a/addons/cinder-csi/values.yaml
secret: {create: false}
```
```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder}
spec:
  sources:
    - chart: openstack-cinder-csi
      helm:
        ignoreMissingValueFiles: true
        valueFiles:
          - $values/clusters/a/addons/cinder-csi/site.yaml
    - {ref: values}
```
```yaml file=clusters/a/addons/cinder-csi/values.yaml
secret: {create: false}
```

## Fix

Unsafe: names the file that exists.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
    .check_cluster = check_tree,
};

}  // namespace capwright::lint::rules::value_file_path
