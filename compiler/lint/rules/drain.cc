// CAP407: rollouts that can't start, or may wait forever.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::drain {
namespace {

// The fields of a kind, in the written version and the one before.
struct Fields {
  Node rolling;  // the map with maxSurge
  Node timeout;
};

Fields fields_of(const Object& object) {
  const bool is_new = object.version() != "v1beta1";
  if (object.kind() == "MachineDeployment") {
    return is_new ? Fields{object["spec.rollout.strategy.rollingUpdate"],
                           object["spec.template.spec.deletion.nodeDrainTimeoutSeconds"]}
                  : Fields{object["spec.strategy.rollingUpdate"], object["spec.template.spec.nodeDrainTimeout"]};
  }
  return is_new ? Fields{{}, object["spec.machineTemplate.spec.deletion.nodeDrainTimeoutSeconds"]}
                : Fields{{}, object["spec.machineTemplate.nodeDrainTimeout"]};
}

bool is_zero(const Node& node) {
  return node.integer() == 0 || node.text() == "0" || node.text() == "0%" || node.text() == "0s";
}

void check(const Object& object, Report& report) {
  const Fields fields = fields_of(object);
  const Node surge = fields.rolling["maxSurge"], unavailable = fields.rolling["maxUnavailable"];
  if (is_zero(surge) && is_zero(unavailable)) {
    report.at(surge, "a rollout that may neither add nor remove a machine never starts")
        .also(unavailable, "no machine may be missing")
        .help("let one of them be 1");
  }
  if (fields.timeout && !is_zero(fields.timeout)) return;
  report.at(fields.timeout, "a node that can't be drained blocks the rollout forever")
      .note("a pod that a disruption budget protects, or that fits on no other node, is waited for forever")
      .help("set `{}` to some minutes, such as {}", Place::of(fields.timeout).path,
            object.version() == "v1beta1" ? "`10m`" : "600")
      .as(Severity::Warning);
}

}  // namespace

CW_LINT_RULE(drain){
    .code = "CAP407",
    .name = "drain",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "MachineDeployment KubeadmControlPlane RKE2ControlPlane",
    .docs = R"md(
## What it does

Reports a rollout that can never start, or that may wait forever for a node to drain.

## Why is this bad?

With `maxSurge` and `maxUnavailable` both 0, no machine may be added and none may be missing, so the rollout never starts.
Without a drain timeout, one pod that can't be evicted blocks its machine and all that follow.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
spec:
  rollout:
    strategy:
      rollingUpdate:
        maxSurge: 0   # error: [drain] "neither add nor remove"
        maxUnavailable: 0
  template: {spec: {deletion: {nodeDrainTimeoutSeconds: 600}}}
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
spec:
  rollout: {strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}}
  template: {spec: {deletion: {nodeDrainTimeoutSeconds: 600}}}
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
spec:
  machineTemplate: {nodeDrainTimeout: 10m}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::drain
