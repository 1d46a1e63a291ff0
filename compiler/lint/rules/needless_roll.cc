// CAP903: machines that are replaced by identical ones.
#include "lint/engine/change_rule.h"

namespace capwright::lint::rules::needless_roll {
namespace {

void check(const ClusterChange& change, Report& report) {
  for (const MovedReference& moved : moved_references(change)) {
    const Object* old = find_object(*change.before, moved.kind, moved.owner->space(), moved.old_name);
    const Object* now = find_object(*change.after, moved.kind, moved.owner->space(), moved.name);
    if (old == nullptr || now == nullptr) continue;
    const Node was = (*old)["spec.template.spec"], is = (*now)["spec.template.spec"];
    if (!was || !is || !json_equal(was.value(), is.value())) continue;
    const bool has_new_suffix = moved.name.starts_with(moved.old_name);
    report.at(moved.reference["name"], "all machines are replaced, but the {} only has a new name", moved.kind)
        .note("it was called `{}`", moved.old_name)
        .help("keep the name as long as the spec is the same{}",
              has_new_suffix ? "; a digest of the spec that is new in the name replaces the machines once" : "");
  }
}

}  // namespace

CW_LINT_RULE(needless_roll){
    .code = "CAP903",
    .name = "needless-roll",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a template with a new name and an unchanged spec.

## Why is this bad?

Machines are replaced when the reference to their template changes, even if the spec is equal. Names that end in a digest of
the spec, as [rotation](rotation.md) creates them, only change with the spec. `capwright plan` checks the change against its
base.

## Example

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: general}
spec: {template: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackMachineTemplate, name: general-1}}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general-1, annotations: {argocd.argoproj.io/sync-options: Prune=false}}
spec: {template: {spec: {flavor: m1.large}}}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: general}
spec:
  template:
    spec:
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: OpenStackMachineTemplate
        name: general-2   # warning: [needless-roll] "all machines are replaced, but the"
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general-2}
spec: {template: {spec: {flavor: m1.large}}}
```

## Use instead

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: general}
spec: {template: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackMachineTemplate, name: general-1}}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general-1}
spec: {template: {spec: {flavor: m1.large}}}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: general}
spec: {template: {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackMachineTemplate, name: general-2}}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general-1}
spec: {template: {spec: {flavor: m1.large}}}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general-2}
spec: {template: {spec: {flavor: m1.xlarge}}}
```
)md",
};

CW_CHANGE_RULE(needless_roll, check);

}  // namespace capwright::lint::rules::needless_roll
