// CAP824: files in the folder `argocd/` that were printed for another configuration.
#include <algorithm>
#include <array>

#include "lint/engine/rule.h"
#include "lint/facts/argocd_folder.h"
#include "lint/facts/cluster_applications.h"
#include "lint/facts/plugin_sources.h"
#include "lint/model/repository_clusters.h"

namespace capwright::lint::rules::stale_argocd_file {
namespace {

// schemas/argocd/project.yaml.j2
constexpr std::string_view kDescription = "Cluster API objects and add-on Applications of all clusters";
constexpr std::string_view kPrintedName = "clusters";
constexpr std::size_t kCommitLength = 40;

// A setting that `capwright argocd` prints; empty texts: it has a default, or differs between clusters.
struct Setting {
  std::string wanted;
  std::string source;  // such as "`argocd.revision` of `capwright.yaml`"
  std::string_view key, option;
  // Where to set it: the rendered Applications follow a revision, too.
  std::string place = key == "revision" ? std::string("`argocd.revision` in a layer of all clusters")
                                        : fmt::format("`argocd.{}` in `{}`", key, kConfigName);
};

Setting setting_of(const RepositoryClusters& clusters, std::string ArgoCdConfig::*member, std::string_view key,
                   std::string_view option, std::string_view path) {
  Setting setting{clusters.config().argocd.*member, {}, key, option};
  if (!setting.wanted.empty()) {
    setting.source = fmt::format("`argocd.{}` of `{}`", key, kConfigName);
    return setting;
  }
  RepositoryClusters::SharedValue shared = clusters.argocd_value(path);
  if (shared.file.empty()) return setting;
  setting.wanted = std::move(shared.text);
  setting.source = fmt::format("`argocd.{}` of `{}`", path, shared.file);
  setting.place = fmt::format("`argocd.{}` in `{}`", path, shared.file);
  return setting;
}

Setting repository_of(const RepositoryClusters& clusters) {
  return setting_of(clusters, &ArgoCdConfig::repo_url, "repo_url", "--repo-url", "repo_url");
}

// The revisions that Argo CD may follow: G266 reports a difference between the two keys.
struct Revisions {
  Setting setting;
  std::string published;  // to this branch; empty: nothing is known, or the sources are values files

  Revisions(const RepositoryClusters& clusters, bool of_values)
      : setting(setting_of(clusters, &ArgoCdConfig::revision, "revision", "--revision", "revision")) {
    if (of_values) {
      // The branch of rendered files has no values: layers name it for the add-ons.
      const bool is_for_addons = clusters.config().argocd.revision.empty();
      if (is_for_addons && setting.wanted == clusters.config().publish_branch) setting.wanted.clear();
      return;
    }
    published = clusters.config().publish_branch;
    // Values are for the Applications of add-ons then, which G266 compares.
    if (!published.empty() && clusters.config().argocd.revision.empty()) setting.wanted.clear();
  }

  bool accepts(std::string_view revision) const {
    constexpr std::string_view kBranches = "refs/heads/";
    if (revision.starts_with(kBranches)) revision.remove_prefix(kBranches.size());
    const bool is_commit =
        revision.size() == kCommitLength && revision.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (revision.empty() || revision == "HEAD" || is_generated(revision) || is_commit) return true;
    if (setting.wanted.empty() && published.empty()) return true;
    return revision == setting.wanted || revision == published;
  }
};

// Whether other Applications or ApplicationSets as they are printed read the repository.
bool has_other_set(const Object& set, std::string_view url) {
  for (const ArgoCdFolder::Applier& each : set.cluster().context().argocd->appliers()) {
    const bool is_itself = each.file() == set.file().path && each.object->name() == set.name();
    if (!is_itself && is_printed_set(*each.object) &&
        (url.empty() || normal_git_url(each.source->repository) == normal_git_url(url)))
      return true;
  }
  return false;
}

class Comparison {
 public:
  Comparison(const Object& object, Report& report)
      : object_(object), report_(report), clusters_(*object.cluster().context().clusters) {}

  void check_set() const {
    const ChartSource& source = sources_of(object_).front();
    const std::vector<Node> gits = git_generators(object_);
    const Setting repository = repository_of(clusters_);
    std::vector<Node> urls{source.node["repoURL"]}, revisions{source.node["targetRevision"]};
    for (const Node git : gits) {
      urls.push_back(git["repoURL"]);
      revisions.push_back(git["revision"]);
    }
    const auto is_other = [&](const Node& url) { return is_set_otherwise(url, repository); };
    std::erase_if(urls, [&](const Node& url) {
      return !is_other(url) || normal_git_url(url.text()) == normal_git_url(repository.wanted);
    });
    if (!urls.empty()) {
      // It may be that of another repository.
      if (!has_other_set(object_, repository.wanted)) report_difference(urls, repository);
      return;
    }
    check_folder(source, gits);
    // Several may follow several branches: stages.
    if (!has_other_set(object_, "")) check_revisions(std::move(revisions), renders_values(source));
    const Setting destination =
        setting_of(clusters_, &ArgoCdConfig::destination, "destination", "--destination", "management.destination");
    const Node name = application_in(object_)["spec.destination.name"];
    if (is_set_otherwise(name, destination)) report_difference({&name, 1}, destination);
    check_namespace();
  }

  void check_application() const {
    const Setting repository = repository_of(clusters_);
    for (const ChartSource& source : sources_of(object_)) {
      const bool is_own =
          !repository.wanted.empty() && normal_git_url(source.repository) == normal_git_url(repository.wanted);
      if (is_own && (has_own_plugin(source) || is_in_tree(source.path)))
        check_revisions({source.node["targetRevision"]}, renders_values(source));
    }
  }

  void check_namespace() const {
    const Setting space = setting_of(clusters_, &ArgoCdConfig::namespace_name, "namespace", "--namespace", "namespace");
    const Node node = object_["metadata.namespace"];
    if (is_set_otherwise(node, space)) report_difference({&node, 1}, space);
  }

 private:
  // A set over the folders of clusters, of which none is where clusters are rendered.
  void check_folder(const ChartSource& source, const std::vector<Node>& gits) const {
    const std::string tree = object_.cluster().context().tree_in_git + "clusters/";
    if (renders_values(source) || !clusters_.tree_folder() || applies(object_, source, tree + "a")) return;
    for (const Node git : gits) {
      for (const Node directory : git["directories"].items()) {
        const Node path = directory["path"];
        if (!path.text().ends_with("clusters/*") || directory["exclude"].is_true()) continue;
        const bool is_there = clusters_.has_folder(path.text().substr(0, path.text().rfind('/')));
        if (!is_there) continue;  // CAP826
        Finding& finding =
            report_.at(path, "the file has `{}`, but clusters are rendered into `{}`", path.text(), tree);
        const std::string command = command_to_print();
        finding.note("the ApplicationSet applies what was rendered there before, and later commits change nothing");
        if (command.empty()) finding.help("set it to `{}*`", tree);
        else finding.help("run `{}`", command);
      }
    }
  }

  static bool is_set_otherwise(const Node& node, const Setting& setting) {
    return !setting.wanted.empty() && !node.text().empty() && !is_generated(node.text()) &&
           node.text() != setting.wanted;
  }

  // Whether it is the folder of a cluster of this repository, or below it.
  bool is_in_tree(std::string_view path) const {
    if (path.starts_with("./")) path.remove_prefix(2);
    const std::string folder = object_.cluster().context().tree_in_git + "clusters/";
    if (!path.starts_with(folder)) return false;
    path.remove_prefix(folder.size());
    const std::string_view name = path.substr(0, path.find('/'));
    return !name.empty() && (clusters_.values_files().empty() || clusters_.has(name, ""));
  }

  void check_revisions(std::vector<Node> nodes, bool of_values) const {
    const Revisions revisions(clusters_, of_values);
    std::erase_if(nodes, [&](const Node& node) { return revisions.accepts(node.text()); });
    if (nodes.empty()) return;
    if (revisions.published.empty()) return report_difference(nodes, revisions.setting);
    Setting published{revisions.published, {}, revisions.setting.key, revisions.setting.option};
    Finding& finding = report_.at(nodes.front(), "Argo CD follows `{}`, but rendered files are published to `{}`",
                                  nodes.front().text(), published.wanted);
    finish(finding, nodes, published);
  }

  void report_difference(std::span<const Node> nodes, const Setting& setting) const {
    Finding& finding = report_.at(nodes.front(), "the file has `{}`, but {} is `{}`", nodes.front().text(),
                                  setting.source, setting.wanted);
    finish(finding, nodes, setting);
  }

  void finish(Finding& finding, std::span<const Node> nodes, const Setting& setting) const {
    for (const Node& other : nodes.subspan(1)) finding.also(other, "also here");
    const std::string command = command_to_print();
    if (command.empty()) {
      finding.help("set it to `{}`", setting.wanted);
      return;
    }
    finding.note("if you print the file with `{}`, set {} instead", setting.option, setting.place);
    const Object* project = object_.cluster().context().argocd->project(kPrintedName);
    const bool is_in_project = setting.key == "repo_url" || setting.key == "destination";
    if (project == nullptr || !is_in_project) finding.help("run `{}`, and repeat edits of your own", command);
    else
      finding.help("run `{}` and `capwright argocd project > {}`, and repeat edits of your own", command,
                   project->file().path);
  }

  // Empty: the file has other objects, or was changed, so it can't be replaced.
  std::string command_to_print() const {
    const std::string_view file = object_.file().path;
    const auto objects = object_.cluster().objects();
    const auto count =
        std::count_if(objects.begin(), objects.end(), [&](const Object* each) { return each->file().path == file; });
    if (count != 1 || object_.name() != kPrintedName || is_application(object_)) return {};
    if (object_.kind() == "AppProject") return fmt::format("capwright argocd project > {}", file);
    const bool of_values = renders_values(sources_of(object_).front());
    return fmt::format("capwright argocd applicationset{} > {}", of_values ? " --plugin" : "", file);
  }

  const Object& object_;
  Report& report_;
  const RepositoryClusters& clusters_;
};

void check(const Object& object, Report& report) {
  const Context& context = object.cluster().context();
  const std::string_view path = object.file().path;
  const bool is_in_folder = path.starts_with(kArgoCdFolder) && path.substr(kArgoCdFolder.size()).starts_with('/');
  if (!is_in_folder || context.argocd == nullptr || context.clusters == nullptr) return;
  const Comparison comparison(object, report);
  if (is_application(object)) comparison.check_application();
  else if (is_printed_set(object)) comparison.check_set();
  else if (object.kind() == "AppProject" && object["spec.description"].text() == kDescription)
    comparison.check_namespace();
}

}  // namespace

CW_LINT_RULE(stale_argocd_file){
    .code = "CAP824",
    .name = "stale-argocd-file",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "Application ApplicationSet AppProject",
    .docs = R"md(
## What it does

Reports files in the folder `argocd/` that `capwright argocd` printed for another configuration: another branch, URL of the repository,
namespace of Argo CD or management cluster.

## Why is this bad?

The files are printed once, and a change of `publish.branch` or `argocd` doesn't change them. Argo CD then applies an older tree, or
none.

The rule compares an ApplicationSet that reads the folders of `clusters/` as the printed one does, or renders clusters with
[capwright's plugin](argocd.md#the-plugin), and the printed project. Of an Application for a cluster of this repository, it compares the
branch.

| compared | with |
|---|---|
| `targetRevision`, `revision` | `publish.branch` and `argocd.revision` |
| `repoURL` | `argocd.repo_url` |
| `metadata.namespace` | `argocd.namespace` |
| `destination.name` | `argocd.destination` |

A setting that `capwright.yaml` doesn't have comes from `argocd` in a layer of all clusters. Defaults aren't compared, nor is the branch
if several such ApplicationSets exist.

## Example

```yaml file=capwright.yaml
publish: {branch: rendered}
```
```yaml file=argocd/clusters.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators: [{git: {directories: [{path: clusters/*}]}}]
  template:
    spec:
      source:
        targetRevision: main   # warning: [stale-argocd-file] "follows `main`, but rendered files are published to `rendered`"
        path: '{{ .path.path }}{{ if eq .part "addons" }}/addons{{ end }}'
```

## Use instead

```yaml file=capwright.yaml
publish: {branch: rendered}
```
```yaml file=argocd/clusters.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators: [{git: {directories: [{path: clusters/*}]}}]
  template:
    spec:
      source:
        targetRevision: rendered
        path: '{{ .path.path }}{{ if eq .part "addons" }}/addons{{ end }}'
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::stale_argocd_file
