// CAP203: an infrastructure and a control plane that are incompatible.
#include <algorithm>
#include <iterator>

#include "diag/suggest.h"
#include "lint/engine/rule.h"

namespace capwright::lint::rules::wrong_kind_pair {
namespace {

// Infrastructure kinds that only work with their provider's own control plane. All others work with any general one.
struct Pair {
  std::string_view cluster, control_plane;
};
constexpr Pair kManaged[] = {
    {"AWSManagedCluster", "AWSManagedControlPlane"},
    {"AzureASOManagedCluster", "AzureASOManagedControlPlane"},
    {"AzureManagedCluster", "AzureManagedControlPlane"},
    {"OCIManagedCluster", "OCIManagedControlPlane"},
};
constexpr std::string_view kGeneralClusters[] = {"AWSCluster", "AzureCluster", "OCICluster", "OpenStackCluster"};
constexpr std::string_view kGeneralControlPlanes[] = {"KubeadmControlPlane", "RKE2ControlPlane", "KThreesControlPlane"};

bool is_among(std::span<const std::string_view> kinds, std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

void check(const Object& cluster, Report& report) {
  const Node control_plane = cluster["spec.controlPlaneRef.kind"];
  const Node infrastructure = cluster["spec.infrastructureRef.kind"];
  const auto managed = std::find_if(std::begin(kManaged), std::end(kManaged),
                                    [&](const Pair& pair) { return pair.cluster == infrastructure.text(); });
  const auto manager = std::find_if(std::begin(kManaged), std::end(kManaged),
                                    [&](const Pair& pair) { return pair.control_plane == control_plane.text(); });
  const auto report_pair = [&]() -> Finding& {
    return report.at(control_plane, "{} is incompatible with {}", control_plane.text(), infrastructure.text())
        .also(infrastructure, "the infrastructure");
  };
  // AWSManagedControlPlane may also serve as the infrastructure.
  const bool is_its_own = infrastructure.text() == control_plane.text();
  if (!control_plane || !infrastructure || is_its_own) return;
  if (managed != std::end(kManaged)) {
    const bool is_misspelt = !nearest(control_plane.text(), {&managed->control_plane, 1}).empty();  // CAP201, CAP233
    if (managed->control_plane != control_plane.text() && !is_misspelt)
      report_pair().help("use {}", managed->control_plane);
  } else if (is_among(kGeneralClusters, infrastructure.text()) && manager != std::end(kManaged)) {
    report_pair().help("use {}, or {} as the cluster", list_names(kGeneralControlPlanes), manager->cluster);
  }
}

}  // namespace

CW_LINT_RULE(wrong_kind_pair){
    .code = "CAP203",
    .name = "wrong-kind-pair",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports a control plane whose provider doesn't match the cluster's infrastructure provider.

## Why is this bad?

EKS, AKS and OKE clusters need their own kind of control plane, which creates the managed service. Control planes of kubeadm,
RKE2 and k3s run on machines. In a wrong pair, each controller waits for the other, and the cluster is never ready.

## Example

```yaml
kind: Cluster
spec:
  controlPlaneRef: {kind: KubeadmControlPlane, name: prod}   # error: [wrong-kind-pair] "is incompatible with OCIManagedCluster"
  infrastructureRef: {kind: OCIManagedCluster, name: prod}
---
kind: Cluster
spec:
  controlPlaneRef: {kind: AWSManagedControlPlane, name: prod}   # error: [wrong-kind-pair]
  infrastructureRef: {kind: OpenStackCluster, name: prod}
```

## Use instead

```yaml
kind: Cluster
spec:
  controlPlaneRef: {kind: OCIManagedControlPlane, name: prod}
  infrastructureRef: {kind: OCIManagedCluster, name: prod}
---
kind: Cluster
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::wrong_kind_pair
