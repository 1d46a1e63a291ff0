// CAP830: add-ons that follow another branch than the ApplicationSet of their cluster.
#include "lint/engine/rule.h"
#include "lint/facts/cluster_addons.h"
#include "lint/model/repository_clusters.h"

namespace capwright::lint::rules::addon_revision {
namespace {

// The revision at which an add-on of the cluster reads its chart values, if it is another one. Only the first: one
// value decides all.
Node other_revision(const Cluster& cluster, const RepositoryClusters& clusters, std::string_view wanted) {
  for (const Object* application : cluster.of_kind("Application")) {
    for (const ChartSource& source : sources_of(*application)) {
      const bool is_tree = !source.ref.empty() && clusters.may_be_at(source.repository);
      const Node revision = source.node["targetRevision"];
      if (is_tree && !revision.text().empty() && revision.text() != wanted) return revision;
    }
  }
  return {};
}

void check(const Cluster& cluster, Report& report) {
  const RepositoryClusters* clusters = cluster.context().clusters;
  if (clusters == nullptr) return;
  const Config& config = clusters->config();
  const std::string& wanted = config.argocd.revision;
  if (wanted.empty() || !config.publish_branch.empty()) return;  // G266 compares both with that branch
  const Node revision = other_revision(cluster, *clusters, wanted);
  if (!revision) return;
  Finding& finding = report.at(revision, "add-ons follow `{}`, but the cluster follows `{}`", revision.text(), wanted);
  finding.note("`argocd.revision` of `{}` is only for what `capwright argocd` prints", kConfigName);
  finding.advises_value = true;
  finding.help("set `argocd: {{revision: {}}}` in a layer of all clusters, and remove it from `{}`", wanted,
               kConfigName);
}

}  // namespace

CW_LINT_RULE(addon_revision){
    .code = "CAP830",
    .name = "addon-revision",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports add-ons whose Applications read chart values from another branch, tag or commit than `argocd.revision` of `capwright.yaml`.

## Why is this bad?

The ApplicationSet that `capwright argocd applicationset` prints follows `argocd.revision` of `capwright.yaml`. The rendered Applications
of add-ons follow `argocd.revision` of the values, by default `main`. With another branch, a commit on `main` changes the add-ons of a
cluster before it is promoted.

`argocd.revision` in a layer of all clusters is read by both. With `publish.branch`, the branches are compared by
[G266](diagnostics.md#g266-another-branch-followed) instead.

## Example

```yaml file=capwright.yaml
argocd: {revision: release}
```
```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder-csi}
spec:
  sources:
    - repoURL: https://git.example.com/platform/clusters.git
      targetRevision: main   # warning: [addon-revision] "add-ons follow `main`, but the cluster follows `release`"
      ref: values
```

## Use instead

```yaml file=capwright.yaml
argocd: {revision: release}
```
```yaml file=clusters/a/addons/cinder-csi/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cinder-csi}
spec:
  sources:
    - repoURL: https://git.example.com/platform/clusters.git
      targetRevision: release
      ref: values
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::addon_revision
