// CAP916: pools that can't be scaled to 0.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::system_pool_emptied {
namespace {

void check(const Object& pool, Report& report) {
  if (pool["spec.replicas"].integer() != 0) return;
  const Object* machines = object_at(pool, pool["spec.template.spec.infrastructureRef"]);
  if (machines == nullptr) return;
  const Node mode = azure_resource(*machines, "ManagedClustersAgentPool")["spec.mode"];
  if (mode.text() != "System") return;
  report.at(pool["spec.replicas"], "a system pool of AKS needs at least one node")
      .also(mode, "it is a system pool")
      .note("AKS rejects a scale to 0, and the pool stays as it is")
      .help(
          "set `azure: {{mode: System}}` on another pool and `User` on this one, or remove this pool without scaling "
          "it "
          "down");
}

}  // namespace

CW_LINT_RULE(system_pool_emptied){
    .code = "CAP916",
    .name = "system-pool-emptied",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "MachinePool",
    .docs = R"md(
## What it does

Reports a system pool of AKS that is scaled to 0.

## Why is this bad?

AKS runs its own pods on pools of mode `System`, and rejects fewer than one node there. `count: 0` and `state: removing`
scale a pool to 0. The first pool is a system pool, unless the values change its mode.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachinePool
metadata: {name: prod-system, namespace: prod}
spec:
  replicas: 0   # error: [system-pool-emptied] "needs at least one node"
  template:
    spec:
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: AzureASOManagedMachinePool, name: prod-system}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureASOManagedMachinePool
metadata: {name: prod-system, namespace: prod}
spec:
  resources:
    - kind: ManagedClustersAgentPool
      spec: {mode: System}
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachinePool
metadata: {name: prod-batch, namespace: prod}
spec:
  replicas: 0
  template:
    spec:
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: AzureASOManagedMachinePool, name: prod-batch}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: AzureASOManagedMachinePool
metadata: {name: prod-batch, namespace: prod}
spec:
  resources:
    - kind: ManagedClustersAgentPool
      spec: {mode: User}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::system_pool_emptied
