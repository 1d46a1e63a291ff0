// CAP511: image names that contain another Kubernetes version than their machines.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"
#include "lint/facts/versions.h"

namespace capwright::lint::rules::image_of_another_version {
namespace {

// The image name in a machine template, if it selects images by name.
Node image_name(const Object& machines) {
  if (machines.kind() == "OpenStackMachineTemplate") {
    const Node image = machines["spec.template.spec.image"];
    return image["filter.name"] ? image["filter.name"] : image["imageRef.name"];
  }
  if (machines.kind() == "AWSMachineTemplate") return machines["spec.template.spec.imageLookupFormat"];
  if (machines.kind() == "AWSManagedMachinePool") return machines["spec.awsLaunchTemplate.imageLookupFormat"];
  if (machines.kind() == "AzureMachineTemplate") return machines["spec.template.spec.image.computeGallery.version"];
  return {};
}

void compare(const Node& image, const Node& wanted, Report& report) {
  const auto version = kubernetes_version(wanted.text());
  const auto named = kubernetes_versions_in(image.text());
  if (!version || named.empty()) return;
  const KubernetesVersion* nearest = &named.front();
  for (const KubernetesVersion& each : named) {
    if (each.minor != version->minor) continue;
    if (!each.patch || !version->patch || each.patch == version->patch) return;
    nearest = &each;
  }
  const bool is_patch = nearest->minor == version->minor;
  report
      .at(image, "the image `{}` contains Kubernetes {}, but its machines should run {}", image.text(), nearest->text(),
          wanted.text())
      .also(wanted, "the version that they should run")
      .note("{}",
            is_patch ? "the kubelet comes with the image" : "the machines join with the image's kubelet, or not at all")
      .help("build or use an image with {}", version->text())
      .as(is_patch ? Severity::Warning : Severity::Error);
}

void check(const Cluster& tree, Report& report) {
  for (const MachineSet& set : machine_sets(tree)) {
    if (set.machine_template == nullptr) continue;
    // The patch version of an EKS pool is synthetic: the service only uses the minor version.
    compare(image_name(*set.machine_template), set.version(), report);
  }
}

}  // namespace

CW_LINT_RULE(image_of_another_version){
    .code = "CAP511",
    .name = "image-of-another-version",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an image whose name contains another Kubernetes version than the machines that use it.

## Why is this bad?

Images for Cluster API contain kubelet and kubeadm (or RKE2, k3s). If an upgrade changes only the version or only the image,
new machines run the old kubelet, or kubeadm fails to join, and the rollout stops at the first machine. Another minor
version is an error, another patch version a warning. Images without a version in their name aren't checked.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec: {controlPlaneRef: {kind: RKE2ControlPlane, name: prod}}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec:
  version: v1.29.4+rke2r1
  machineTemplate: {infrastructureRef: {kind: OpenStackMachineTemplate, name: prod}}
---
kind: OpenStackMachineTemplate
metadata: {name: prod}
spec:
  template:
    spec:
      image:
        filter:
          name: rke2-node-v1.28-20260407   # error: [image-of-another-version] "the image `rke2-node-v1.28-20260407` contains Kubernetes"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
---
kind: MachineDeployment
metadata: {name: general}
spec:
  clusterName: prod
  template:
    spec:
      version: v1.35.8
      infrastructureRef: {kind: OpenStackMachineTemplate, name: general}
---
kind: OpenStackMachineTemplate
metadata: {name: general}
spec: {template: {spec: {image: {filter: {name: ubuntu-2404-kube-v1.35.8-containerd-1.7.2}}}}}
---
kind: MachineDeployment
metadata: {name: plain}
spec:
  clusterName: prod
  template:
    spec:
      version: v1.35.8
      infrastructureRef: {kind: OpenStackMachineTemplate, name: plain}
---
kind: OpenStackMachineTemplate
metadata: {name: plain}
spec: {template: {spec: {image: {filter: {name: golden-node-21.35}}}}}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::image_of_another_version
