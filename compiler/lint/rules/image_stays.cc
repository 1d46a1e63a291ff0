// CAP907: changes of a version without the matching image, or vice versa.
#include <algorithm>

#include "lint/engine/change_rule.h"
#include "lint/facts/machines.h"
#include "lint/facts/versions.h"

namespace capwright::lint::rules::image_stays {
namespace {

// The image of a machine template; absent if the provider selects an image by version.
Node image_of(const Object& machines) {
  if (machines.kind() == "OpenStackMachineTemplate" || machines.kind() == "AzureMachineTemplate")
    return machines["spec.template.spec.image"];
  if (machines.kind() == "AWSMachineTemplate") return machines["spec.template.spec.ami.id"];
  if (machines.kind() == "OCIMachineTemplate") return machines["spec.template.spec.imageId"];
  return {};
}

// Whether the image contains Kubernetes. Machines with RKE2 or k3s download it at startup, unless they are air-gapped.
bool brings_kubernetes(const MachineSet& set) {
  if (set.is_control_plane) {
    return set.owner->kind() == "KubeadmControlPlane" || (*set.owner)["spec.agentConfig.airGapped"].is_true();
  }
  const Object* bootstrap = object_at(*set.owner, set.bootstrap);
  return set.bootstrap["kind"].text() == "KubeadmConfigTemplate" ||
         (bootstrap != nullptr && (*bootstrap)["spec.template.spec.agentConfig.airGapped"].is_true());
}

const MachineSet* old_of(const MachineSet& set, const Cluster& before) {
  const std::vector<MachineSet>& sets = machine_sets(before);
  const auto found = std::find_if(sets.begin(), sets.end(), [&](const MachineSet& each) {
    return each.owner->kind() == set.owner->kind() && each.owner->space() == set.owner->space() &&
           each.owner->name() == set.owner->name();
  });
  return found == sets.end() ? nullptr : &*found;
}

// The user's setting for it: the name in `image: {filter: {name: …}}`.
Node first_leaf(Node node) {
  while (node.is(Kind::Map) && node.size() != 0) node = (*node.members().begin()).value;
  return node;
}

void compare(const MachineSet& was, const MachineSet& is, Report& report) {
  const Node old_image = image_of(*was.machine_template), image = image_of(*is.machine_template);
  const Node old_version = was.version(), version = is.version();
  const auto from = kubernetes_version(old_version.text()), to = kubernetes_version(version.text());
  if (!old_image || !image || !from || !to) return;
  const bool same_image = json_equal(old_image.value(), image.value());
  const bool same_version = old_version.text() == version.text();
  if (same_image == same_version) return;
  if (same_version) {
    report
        .at(first_leaf(changed_parts(old_image, image).front()),
            "machines are replaced by machines with another image, which also has Kubernetes {}", to->text())
        .as(Severity::Note);
    return;
  }
  if (!brings_kubernetes(is)) return;
  report
      .at(version, "Kubernetes changes from {} to {}, but the machines keep their image", old_version.text(),
          version.text())
      .also(first_leaf(image), "the image, as before")
      .note("the kubelet comes with the image: new machines run the old one, or don't join")
      .help("use an image with {}", to->text())
      .as(from->minor == to->minor ? Severity::Warning : Severity::Error);
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr || change.after == nullptr) return;
  for (const MachineSet& is : machine_sets(*change.after)) {
    const MachineSet* was = old_of(is, *change.before);
    if (was == nullptr || was->machine_template == nullptr || is.machine_template == nullptr) continue;
    compare(*was, is, report);
  }
}

}  // namespace

CW_LINT_RULE(image_stays){
    .code = "CAP907",
    .name = "image-stays",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a change of the Kubernetes version without a change of the image that contains Kubernetes.

## Why is this bad?

Images for kubeadm contain kubelet and kubeadm, and images for RKE2 with `airGapped` contain RKE2. With the old image, new
machines run the old kubelet, or kubeadm fails to join, and the rollout stops at the first machine. Another minor version is
an error, another patch version a warning.

An image that the provider selects by version is exempt. Another image with the same version, such as one with newer
packages, is a note. `capwright plan` checks the change against its base.

## Example

```yaml file=before/cluster.yaml
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: KubeadmControlPlane, name: prod}}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {version: v1.34.2, machineTemplate: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod-1}}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod-1}
spec: {template: {spec: {image: {filter: {name: ubuntu-2404-kube}}}}}
```
```yaml file=after/cluster.yaml
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: KubeadmControlPlane, name: prod}}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  version: v1.35.8   # error: [image-stays] "Kubernetes changes from v1.34.2 to v1.35.8, but the"
  machineTemplate: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod-1}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod-1}
spec: {template: {spec: {image: {filter: {name: ubuntu-2404-kube}}}}}
```

## Use instead

```yaml file=before/cluster.yaml
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: RKE2ControlPlane, name: prod}}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {version: v1.34.4+rke2r1, machineTemplate: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod-1}}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod-1}
spec: {template: {spec: {image: {filter: {name: sles-15-sp7}}}}}
```
```yaml file=after/cluster.yaml
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: RKE2ControlPlane, name: prod}}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {version: v1.35.7+rke2r1, machineTemplate: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod-1}}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod-1}
spec: {template: {spec: {image: {filter: {name: sles-15-sp7}}}}}
```
)md",
};

CW_CHANGE_RULE(image_stays, check);

}  // namespace capwright::lint::rules::image_stays
