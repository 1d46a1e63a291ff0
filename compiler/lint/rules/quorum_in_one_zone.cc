// CAP403: the distribution of control planes over availability zones.
#include "lint/engine/rule.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::quorum_in_one_zone {
namespace {

void check(const Object& infrastructure, Report& report) {
  const Node zones = infrastructure["spec.controlPlaneAvailabilityZones"];
  const Object* cluster = cluster_of(infrastructure);
  const Object* control_plane = cluster == nullptr ? nullptr : control_plane_of(*cluster);
  if (control_plane == nullptr || zones.size() == 0) return;
  const Node replicas = (*control_plane)["spec.replicas"];
  if (replicas && !replicas.integer()) return;  // the number is unknown
  const std::int64_t count = replicas.integer().value_or(1);
  const auto places = static_cast<std::int64_t>(zones.size());
  if (places > count) {
    report.at(zones, "{} zones for {} control planes: {} stay empty", places, count, places - count)
        .also(replicas, "the number of control planes")
        .as(Severity::Note);
    return;
  }
  const std::int64_t fullest = (count + places - 1) / places;
  if (places < 2 || count < 3 || count - fullest >= count / 2 + 1) return;
  report
      .at(zones, "{} of {} control planes are in one of {} zones: without it, etcd has no majority", fullest, count,
          places)
      .also(replicas, "the number of control planes")
      .help("use three zones; of two, one always holds the majority");
}

}  // namespace

CW_LINT_RULE(quorum_in_one_zone){
    .code = "CAP403",
    .name = "quorum-in-one-zone",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "OpenStackCluster",
    .docs = R"md(
## What it does

Reports control planes in two availability zones, of which one holds the majority.

## Why is this bad?

The provider spreads control planes evenly over `controlPlaneAvailabilityZones`, and etcd works as long as more than half of
its members run. One of two zones always has at least half: when it fails, the cluster fails, as with a single zone. Three
zones tolerate the loss of any one.

For a cluster in one zone, name one zone or none. More zones than control planes are a note, since some stay empty.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {replicas: 3}
---
kind: OpenStackCluster
metadata: {name: prod}
spec:
  controlPlaneAvailabilityZones: [az1, az2]   # warning: [quorum-in-one-zone] "2 of 3 control planes are in one of 2 zones: without it,"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {replicas: 5}
---
kind: OpenStackCluster
metadata: {name: prod}
spec: {controlPlaneAvailabilityZones: [az1, az2, az3]}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::quorum_in_one_zone
