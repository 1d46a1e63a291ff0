// CAP904: templates that leave the tree while machines are still created from them.
#include <algorithm>

#include "lint/engine/change_rule.h"
#include "lint/facts/catalogue.h"
#include "rotation/keep.h"

namespace capwright::lint::rules::template_deleted {
namespace {

// Whether `capwright render` keeps another generation of such templates: then each commit kept the one before it, and
// several of them together drop one that is in use.
bool keeps_others(const Cluster& cluster, std::string_view kind) {
  return std::any_of(cluster.objects().begin(), cluster.objects().end(), [&](const Object* object) {
    return object->kind() == kind && object->file().path.ends_with(rotation::kRetiredFile);
  });
}

void report_deleted(const MovedReference& moved, const Cluster& after, Report& report) {
  Finding& finding =
      report
          .at(moved.reference["name"], "the {} `{}` is deleted in the same change as the last reference to it",
              moved.kind, moved.old_name)
          .note("the old MachineSet still creates machines from it during the rollout: a failed one can't be replaced");
  if (keeps_others(after, moved.kind)) {
    finding
        .note(
            "`{}` has generations of later commits: each commit that changes a template keeps the one before it, "
            "and drops an older one",
            rotation::kRetiredFile)
        .help(
            "before you merge, make one commit of them: `git reset --soft` to the base of this plan, `capwright "
            "render`, `git add -A` and `git commit`; or merge them one by one, each after the rollout of the last");
    return;
  }
  finding.help("keep it until the rollout ends, or first commit and sync `{}` on it, so that {} keeps it",
               keeping_option(after), delivery_tool(after));
}

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
    report_deleted(moved, *change.after, report);
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

With Flux, the usual cause is several commits that are applied at once: a squashed pull request, or commits that Flux pulls
together. Each `capwright render` keeps the template of the commit before it, and by default no older one. Make one commit of them:

```sh
git reset --soft origin/main    # the base of the plan
capwright render
git add -A && git commit
```

If the first commit is merged already, let Flux apply it, and wait for its rollout before you merge the next one. With `retain: 2` or
more in [`capwright.yaml`](configuration.md), set before these commits, the tree keeps more generations. With `retain: 0`, every change
of a template has this finding.

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
