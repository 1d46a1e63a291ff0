// CAP918: removed add-ons that nodes and volumes depend on.
#include <algorithm>
#include <string_view>

#include "lint/engine/change_rule.h"
#include "lint/facts/cluster_addons.h"

namespace capwright::lint::rules::needed_addon_removed {
namespace {

// Why a cluster needs it; empty: it doesn't.
std::string_view need_of(std::string_view role) {
  if (role == "cni") return "without a CNI, pods get no network and new nodes stay NotReady";
  if (role == "ccm")
    return "without its cloud controller manager, new nodes keep the taint "
           "`node.cloudprovider.kubernetes.io/uninitialized`, and no load balancer is updated";
  if (role == "csi") return "without its driver, volumes can't be attached, detached or deleted";
  return {};
}

bool has_role(const InstalledAddons& addons, std::string_view role) {
  return std::any_of(addons.begin(), addons.end(),
                     [&](const InstalledAddon& each) { return each.addon->role == role; });
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr || change.after == nullptr) return;
  const InstalledAddons& now = installed_addons(*change.after);
  for (const InstalledAddon& was : installed_addons(*change.before)) {
    const std::string_view role = was.addon->role, need = need_of(role);
    if (need.empty() || find_addon(now, was.addon->id) != nullptr) continue;
    if (role == "cni" && has_role(now, role)) continue;  // CAP906 reports a replaced one
    report.at(*was.object, "add-on `{}` is removed from an existing cluster", was.addon->id)
        .note("{}", need)
        .help("keep it in `addons`; before removing it, move what uses it and install its replacement");
  }
}

}  // namespace

CW_LINT_RULE(needed_addon_removed){
    .code = "CAP918",
    .name = "needed-addon-removed",
    .severity = Severity::Warning,
    .since = "0.2",
    .docs = R"md(
## What it does

Reports a change that removes a CNI, cloud controller manager or CSI driver from an existing cluster.

## Why is this bad?

Running nodes, load balancers and volumes depend on it, and Argo CD deletes it with its next sync. Replacing the CNI is
reported as CAP906. `capwright plan` checks the change against its base.

## Example

```yaml file=before/addons.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-cilium, namespace: argocd}   # warning: [needed-addon-removed] "add-on `cilium` is removed"
spec:
  source: {chart: cilium, repoURL: https://charts.example.com, targetRevision: 1.20.0}
  destination: {name: prod, namespace: kube-system}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
```

## Use instead

```yaml file=before/addons.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-loki, namespace: argocd}
spec:
  source: {chart: loki, repoURL: https://charts.example.com, targetRevision: 6.30.0}
  destination: {name: prod, namespace: loki}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
```
)md",
};

CW_CHANGE_RULE(needed_addon_removed, check);

}  // namespace capwright::lint::rules::needed_addon_removed
