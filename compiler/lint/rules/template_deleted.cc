// CAP904: templates that leave the tree while machines are still created from them.
#include "lint/engine/change_rule.h"
#include "lint/facts/catalogue.h"

namespace capwright::lint::rules::template_deleted {
namespace {

void check(const ClusterChange& change, Report& report) {
  if (change.after == nullptr || !delivery_deletes(*change.after)) return;
  for (const MovedReference& moved : moved_references(change)) {
    const std::string_view space = moved.owner->space();
    const Object* old = find_object(*change.before, moved.kind, space, moved.old_name);
    if (old == nullptr || !old->kind().ends_with("Template")) continue;
    if (find_object(*change.after, moved.kind, space, moved.old_name) != nullptr) continue;
    if (is_kept_by_option(*old)) continue;
    if (delivery_spares_owned(*change.after)) {
      report
          .at(moved.reference["name"], "the {} `{}` leaves the tree in the same change as the last reference to it",
              moved.kind, moved.old_name)
          .note("{} doesn't delete it, because Cluster API made the Cluster its owner", delivery_tool(*change.after))
          .help("delete it by hand when the rollout has ended")
          .as(Severity::Note);
      continue;
    }
    report
        .at(moved.reference["name"], "the {} `{}` is deleted in the same change as the last reference to it",
            moved.kind, moved.old_name)
        .note("the old MachineSet still creates machines from it during the rollout: a failed one can't be replaced")
        .help("keep it until the rollout ends, or first commit and sync `{}` on it, so that {} keeps it",
              keeping_option(*change.after), delivery_tool(*change.after));
  }
}

}  // namespace

CW_LINT_RULE(template_deleted){
    .code = "CAP904",
    .name = "template-deleted",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a template that is removed in the same change as the last reference to it.

## Why is this bad?

During a rollout, the old MachineSet still creates machines from the old template. Without the template, a failed machine
can't be replaced, and the rollout may stop. [Rotation](rotation.md) keeps earlier generations. `capwright plan` checks the
change against its base.

It depends on the tool that applies the tree ([`delivery`](configuration.md)):

| tool | the template | finding |
|---|---|---|
| Flux | is deleted, unless it has `kustomize.toolkit.fluxcd.io/prune: disabled` | error |
| Argo CD | stays, because Cluster API made the Cluster its owner; with `Prune=false` anyway | note, without `Prune=false` |
| `kubectl apply` | stays | none |

## Example

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
spec:
  template:
    spec:
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: OpenStackMachineTemplate
        name: general-2   # note: [template-deleted] "`general-1` leaves the tree"
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: general-2}
spec: {template: {spec: {flavor: m1.xlarge}}}
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
metadata: {name: general-1, annotations: {argocd.argoproj.io/sync-options: Prune=false}}
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
metadata: {name: general-2}
spec: {template: {spec: {flavor: m1.xlarge}}}
```
)md",
};

CW_CHANGE_RULE(template_deleted, check);

}  // namespace capwright::lint::rules::template_deleted
