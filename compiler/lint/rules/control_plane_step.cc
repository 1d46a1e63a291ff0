// CAP504: control planes that skip a minor version, or downgrade.
#include "lint/engine/change_rule.h"

namespace capwright::lint::rules::control_plane_step {
namespace {

void check(const ClusterChange& change, Report& report) {
  for (const ControlPlaneStep& step : control_plane_steps(change)) {
    const int minors = step.minor_after - step.minor_before;
    if (minors == 0 || minors == 1) continue;
    const Node now = (*step.after)["spec.version"];
    const std::string_view was = (*step.before)["spec.version"].text();
    if (minors < 0) {
      report.at(now, "the control plane goes back from {} to {}", was, now.text())
          .note("neither Kubernetes nor etcd can be downgraded to an older minor version")
          .help("create a new cluster, or stay at {}", was);
    } else {
      report
          .at(now, "the control plane goes from {} to {}: {} is skipped", was, now.text(),
              minors == 2 ? "a minor version" : "more than one minor version")
          .note("an API server can only be upgraded to the next minor version")
          .help("upgrade to 1.{} first, and continue when all machines have it", step.minor_before + 1);
    }
  }
}

}  // namespace

CW_LINT_RULE(control_plane_step){
    .code = "CAP504",
    .name = "control-plane-step",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a change of the control plane by more than one minor version, or to an older one.

## Why is this bad?

An API server can only be upgraded to the next minor version, and never be downgraded. kubeadm and EKS reject other steps;
RKE2 and OKE accept them and leave a broken control plane. `capwright plan` checks the change against its base.

## Example

```yaml file=before/cluster.yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {version: v1.33.4+rke2r1}
```
```yaml file=after/cluster.yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: RKE2ControlPlane
metadata: {name: prod}
spec:
  version: v1.35.7+rke2r1   # error: [control-plane-step] "from v1.33.4+rke2r1 to v1.35.7+rke2r1"
```

## Use instead

```yaml file=before/cluster.yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {version: v1.34.9}
```
```yaml file=after/cluster.yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {version: v1.35.2}
```
)md",
};

CW_CHANGE_RULE(control_plane_step, check);

}  // namespace capwright::lint::rules::control_plane_step
