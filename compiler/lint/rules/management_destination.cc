// CAP831: add-ons of the management cluster under another name than the ApplicationSet's.
#include "lint/engine/rule.h"
#include "lint/model/repository_clusters.h"

namespace capwright::lint::rules::management_destination {
namespace {

// Argo CD's name of the cluster that it runs in, and the default of `argocd.management.destination` of the values.
constexpr std::string_view kOwnCluster = "in-cluster";

void check(const Cluster& cluster, Report& report) {
  const RepositoryClusters* clusters = cluster.context().clusters;
  if (clusters == nullptr) return;
  const std::string& wanted = clusters->config().argocd.destination;
  if (wanted.empty() || wanted == kOwnCluster) return;
  for (const Object* application : cluster.of_kind("Application")) {
    const Node name = (*application)["spec.destination.name"];
    if (name.text() != kOwnCluster) continue;
    Finding& finding =
        report.at(name, "the add-on is applied to `{}`, but the cluster's objects to `{}`", kOwnCluster, wanted);
    finding.note("`argocd.destination` of `{}` is only for what `capwright argocd` prints", kConfigName);
    finding.advises_value = true;
    finding.help(
        "set `argocd: {{management: {{destination: {}}}}}` in a layer of all clusters, and remove it from `{}`", wanted,
        kConfigName);
    return;  // one value decides all
  }
}

}  // namespace

CW_LINT_RULE(management_destination){
    .code = "CAP831",
    .name = "management-destination",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports Applications of a cluster's folder with the destination `in-cluster`, if `argocd.destination` of `capwright.yaml` is another
name.

## Why is this bad?

Some add-ons, such as the cluster autoscaler, run in the management cluster. Their Applications have the name from
`argocd.management.destination` of the values, by default `in-cluster`. The ApplicationSet that `capwright argocd applicationset`
prints has `argocd.destination` of `capwright.yaml`. If Argo CD doesn't know the management cluster as `in-cluster`, it can't apply
these add-ons. If `in-cluster` is another cluster, they run there, without the objects that they change.

`argocd.management.destination` in a layer of all clusters is read by both.

## Example

```yaml file=capwright.yaml
argocd: {destination: mgmt-prod}
```
```yaml file=clusters/a/addons/cluster-autoscaler/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cluster-autoscaler}
spec:
  destination:
    name: in-cluster   # warning: [management-destination] "applied to `in-cluster`, but the cluster's objects to `mgmt-prod`"
    namespace: a
```

## Use instead

```yaml file=capwright.yaml
argocd: {destination: mgmt-prod}
```
```yaml file=clusters/a/addons/cluster-autoscaler/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-cluster-autoscaler}
spec:
  destination:
    name: mgmt-prod
    namespace: a
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::management_destination
