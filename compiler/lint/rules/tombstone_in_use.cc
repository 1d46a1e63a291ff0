// CAP819: tombstones that delete more than the removed objects.
#include "lint/engine/rule.h"
#include "rotation/tombstones.h"

namespace capwright::lint::rules::tombstone_in_use {
namespace {

void check(const Cluster& tree, Report& report) {
  for (const Object* tombstone : tree.tombstones()) {
    const Object* live = tree.find(tombstone->group(), tombstone->kind(), tombstone->space(), tombstone->name());
    if (!rotation::may_have_tombstone(tombstone->group(), tombstone->kind())) {
      report.at(*tombstone, "with this hook Argo CD deletes the {}", tombstone->kind())
          .note("capwright writes the hook `{}` for pools and health checks only", rotation::kTombstoneHook)
          .help("remove this manifest");
    } else if (live != nullptr) {
      report.at(*tombstone, "with this hook Argo CD deletes an object that is in the tree")
          .also(*live, "the object")
          .note("the last manifest of an object counts: if that is this one, the live object is deleted")
          .help("run `capwright render`, which drops the entry");
    }
  }
}

}  // namespace

CW_LINT_RULE(tombstone_in_use){
    .code = "CAP819",
    .name = "tombstone-in-use",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a manifest with the hook `Removed` for an object that must not be deleted.

## Why is this bad?

Argo CD deletes the live object of a manifest with an unknown hook. `capwright render` uses that to [remove
pools](argocd.md#remove-a-pool), and drops the entry when the object comes back. A merge can bring both into one tree, and a
manifest written by hand can name any object.

## Example

```yaml file=00-removed.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: prod-batch   # error: [tombstone-in-use] "an object that is in the tree"
  namespace: prod
  annotations:
    argocd.argoproj.io/hook: Removed
```
```yaml file=cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-batch, namespace: prod}
```

## Use instead

```yaml file=00-removed.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: prod-batch
  namespace: prod
  annotations: {argocd.argoproj.io/hook: Removed}
```
```yaml file=cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-general, namespace: prod}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::tombstone_in_use
