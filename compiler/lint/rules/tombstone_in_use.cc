// CAP819: tombstones, and other manifests with that effect, that delete more than the removed objects.
#include <algorithm>

#include "lint/engine/fleet_keys.h"
#include "lint/engine/rule.h"
#include "rotation/tombstones.h"

namespace capwright::lint::rules::tombstone_in_use {
namespace {

bool may_be_listed(const Object& object) { return rotation::may_have_tombstone(object.group(), object.kind()); }

// Without a namespace, the Application determines it.
const Object* live_object(const Cluster& tree, const Object& tombstone) {
  const Objects all = tree.of_kind(tombstone.kind());
  const auto found = std::find_if(all.begin(), all.end(), [&](const Object* each) {
    const bool shares_space = each->space() == tombstone.space() || each->space().empty() || tombstone.space().empty();
    return each->group() == tombstone.group() && each->name() == tombstone.name() && shares_space;
  });
  return found == all.end() ? nullptr : *found;
}

void report_kind(const Object& object, Report& report) {
  Finding& finding = report.at(object, "this hook makes Argo CD delete the {}", object.kind());
  const std::string_view hook = object.annotation(rotation::kHookAnnotation).text();
  if (hook == rotation::kTombstoneHook)
    finding.note("capwright writes the hook `{}` for pools and health checks only", hook).help("remove this manifest");
  else
    finding.note("Argo CD doesn't apply it, finds the live object without a manifest, and prunes it")
        .help("remove the hook, or the manifest");
}

void check(const Cluster& tree, Report& report) {
  for (const Object* tombstone : tree.tombstones()) {
    const Object* live = live_object(tree, *tombstone);
    if (!may_be_listed(*tombstone)) {
      report_kind(*tombstone, report);
    } else if (live != nullptr) {
      report.at(*tombstone, "this hook makes Argo CD delete an object that is in the tree")
          .also(*live, "the object")
          .note("Argo CD uses the last manifest of an object; if that is this one, it deletes the live object")
          .help(
              "run `capwright render`, which drops the entry; if it doesn't, because no render lists the file, delete "
              "the file");
    }
  }
}

void check_others(const Fleet& fleet, Report& report) {
  for (const Cluster* cluster : fleet.clusters) {
    for (const Object* tombstone : cluster->tombstones()) {
      for (const Cluster* other : fleet.clusters) {
        const Object* live = other != cluster && may_be_listed(*tombstone) ? live_object(*other, *tombstone) : nullptr;
        if (live == nullptr) continue;
        report.at(*tombstone, "this hook makes Argo CD delete an object of cluster `{}`", other->name())
            .also(*live, "the object")
            .help("remove this entry: `capwright render` drops it if both clusters have values files");
      }
    }
  }
}

void give_keys(const Cluster& cluster, FleetKeys& keys) {
  const auto add = [&](const Object& object, FleetKeys::Side side) {
    if (may_be_listed(object)) keys.add({"tombstone-in-use", object.kind(), object.name()}, side);
  };
  for (const Object* tombstone : cluster.tombstones()) add(*tombstone, FleetKeys::Side::Asks);
  for (const Object* object : cluster.objects()) add(*object, FleetKeys::Side::Answers);
}

}  // namespace

CW_LINT_RULE(tombstone_in_use){
    .code = "CAP819",
    .name = "tombstone-in-use",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a manifest with a hook that makes Argo CD delete an object that must stay.

## Why is this bad?

Argo CD deletes the live object of a manifest with a hook of an unknown type. `capwright render` uses that, with the hook
`Removed`, to [remove pools](argocd.md#remove-a-pool), and drops the entry when the object comes back. A merge can bring both
into one tree. A typo in `PreSync` has the same effect. A handwritten manifest can name any object. Objects of
Cluster API are deleted by hooks of known types, too. Helm's hooks that Argo CD ignores, such as `test`, aren't reported.

The rule looks for the object in the folders of all clusters.

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
    .check_fleet = check_others,
    .fleet_keys = give_keys,
};

}  // namespace capwright::lint::rules::tombstone_in_use
