// CAP401: the number of control planes.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::even_control_plane {
namespace {

constexpr std::int64_t kMost = 7;  // more members make etcd slower but no safer

bool has_external_etcd(const Object& control_plane) {
  return control_plane["spec.kubeadmConfigSpec.clusterConfiguration.etcd.external"].exists() ||
         !control_plane["spec.kThreesConfigSpec.serverConfig.datastoreEndpoint"].text().empty();
}

void check(const Object& control_plane, Report& report) {
  const Node node = control_plane["spec.replicas"];
  const auto replicas = node.integer();
  if (!replicas) return;
  if (*replicas == 0) {
    report.at(node, "a cluster without control planes has no API").help("use 1, 3 or 5");
  } else if (*replicas % 2 == 0 && !has_external_etcd(control_plane)) {
    report.at(node, "{} control planes tolerate no more failures than {}", *replicas, *replicas - 1)
        .note("etcd needs a majority: {} of {}", *replicas / 2 + 1, *replicas)
        .help("use {} or {}", *replicas - 1, *replicas + 1);
  } else if (*replicas > kMost) {
    report.at(node, "{} control planes slow etcd down: each write waits for {} of them", *replicas, *replicas / 2 + 1)
        .help("use at most {}", kMost);
  }
}

}  // namespace

CW_LINT_RULE(even_control_plane){
    .code = "CAP401",
    .name = "even-control-plane",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "KubeadmControlPlane RKE2ControlPlane KThreesControlPlane",
    .docs = R"md(
## What it does

Reports an even number of control plane machines.

## Why is this bad?

etcd needs a majority of its members: three of four. Four members tolerate the loss of one, just as three do, and have one
more machine that can fail. The webhook of `KubeadmControlPlane` rejects even numbers; those of RKE2 and k3s don't.

Any number is fine with an external etcd or database. More than seven make every write slower.

## Example

```yaml
kind: RKE2ControlPlane
spec: {replicas: 4}   # error: [even-control-plane] "4 control planes tolerate no more failures than 3"
```

## Use instead

```yaml
kind: RKE2ControlPlane
spec: {replicas: 3}
```
)md",
    .instead_of_server = true,
    .check_object = check,
};

}  // namespace capwright::lint::rules::even_control_plane
