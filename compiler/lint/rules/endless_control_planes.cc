// CAP412: control planes whose certificates are always about to expire.
#include <algorithm>
#include <cstdint>

#include "lint/engine/rule.h"

namespace capwright::lint::rules::endless_control_planes {
namespace {

constexpr std::int64_t kLife = 365;  // days; kubeadm's default

void check(const Object& control_plane, Report& report) {
  Node days = control_plane["spec.rollout.before.certificatesExpiryDays"];
  if (!days) days = control_plane["spec.rolloutBefore.certificatesExpiryDays"];
  const Node life = control_plane["spec.kubeadmConfigSpec.clusterConfiguration.certificateValidityPeriodDays"];
  const std::int64_t most = life.integer().value_or(kLife);
  if (!days.integer() || *days.integer() < most) return;
  Finding& finding =
      report.at(days, "machines are replaced {} days before their certificates expire, which are valid for {} days",
                *days.integer(), most);
  if (life) finding.also(life, "the certificates' lifetime");
  finding.note("a new machine is due for replacement at once, so control planes are replaced endlessly")
      .help("write a smaller number, such as {}", std::min<std::int64_t>(30, most / 2));
}

}  // namespace

CW_LINT_RULE(endless_control_planes){
    .code = "CAP412",
    .name = "endless-control-planes",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds = "KubeadmControlPlane",
    .docs = R"md(
## What it does

Reports `certificatesExpiryDays` that is at least the lifetime of the certificates.

## Why is this bad?

The kubeadm control plane provider replaces a machine this many days before its certificates expire. They are valid for 365
days, or `certificateValidityPeriodDays`. With a number that large, every new machine is due at once, and control planes are
replaced without end: 12 machines in six minutes in a test.

## Example

```yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  rollout:
    before:
      certificatesExpiryDays: 366   # error: [endless-control-planes] "machines are replaced 366 days before their certificates"
```

## Use instead

```yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {rollout: {before: {certificatesExpiryDays: 30}}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::endless_control_planes
