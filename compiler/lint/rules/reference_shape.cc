// CAP202: references in the format of another API version.
#include "crd/registry.h"
#include "lint/engine/rule.h"
#include "lint/model/references.h"

namespace capwright::lint::rules::reference_shape {
namespace {

// Kinds of Cluster API's own, whose references dropped version and namespace in v1beta2.
bool has_contract_references(const Object& object) {
  const std::string_view group = object.group();
  return group == "cluster.x-k8s.io" || object.kind() == "KubeadmControlPlane" || object.kind() == "RKE2ControlPlane";
}

// The format of references in an unknown version is unknown.
bool has_known_version(const Object& object) {
  const crd::Registry* registry = object.cluster().context().registry;
  return registry == nullptr || object.known_versions().empty() ||
         registry->find(object.api_version(), object.kind()) != nullptr;
}

void check(const Object& object, Report& report) {
  if (!has_contract_references(object) || !has_known_version(object)) return;
  const bool is_new = object.version() == "v1beta2";
  for (const Reference& reference : references_of(object)) {
    // Only references to objects of Cluster API; a Secret is always referenced with its version.
    if (!is_reference(reference.place) || !reference.group.ends_with("cluster.x-k8s.io")) continue;
    const Node version = reference.place["apiVersion"], group = reference.place["apiGroup"];
    const Node space = reference.place["namespace"];
    if (is_new && version) {
      const std::string_view meant = version.text().substr(0, version.text().find('/'));
      Finding& finding = report.at(version, "references of {} have no `apiVersion`", object.api_version());
      finding.help("write `apiGroup: {}`", meant);
      if (group) continue;
      finding.fix_key(version, "apiGroup", Safety::Safe, "name the group alone")
          .fix(version, std::string(meant), Safety::Safe, "");
    } else if (is_new && space) {
      report.at(space, "references of {} have no `namespace`", object.api_version())
          .help("remove it: the reference means the object's own namespace");
    } else if (!is_new && group && !version) {
      report.at(group, "references of {} have an `apiVersion` instead of `apiGroup`", object.api_version());
    }
  }
}

}  // namespace

CW_LINT_RULE(reference_shape){
    .code = "CAP202",
    .name = "reference-shape",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster MachineDeployment MachinePool MachineSet Machine KubeadmControlPlane RKE2ControlPlane",
    .docs = R"md(
## What it does

Reports a reference in the form of another API version.

## Why is this bad?

Since `v1beta2`, objects of Cluster API refer to others by `apiGroup`, `kind` and `name`; in `v1beta1` it was `apiVersion`,
`kind`, `name` and optionally `namespace`. The API server drops unknown fields, so the reference is incomplete. Control
planes of k3s still use the old form.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec:
  infrastructureRef:
    apiVersion: infrastructure.cluster.x-k8s.io/v1beta1   # error: [reference-shape] "references of cluster.x-k8s.io/v1beta2"
    kind: OpenStackCluster
    name: prod
  controlPlaneRef:
    apiGroup: controlplane.cluster.x-k8s.io
    kind: KubeadmControlPlane
    name: prod
    namespace: other   # error: [reference-shape]
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackCluster, name: prod}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: {name: old}
spec:
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: OpenStackCluster, name: old, namespace: old}
---
# an unknown version, so the reference can't be checked
apiVersion: cluster.x-k8s.io/v1beta3
kind: Cluster
metadata: {name: future}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackCluster, name: future}
```

## Fix

Safe: replaces `apiVersion` with the group, where that is the only difference.
)md",
    .fixes = Safety::Safe,
    .instead_of_server = true,
    .check_object = check,
};

}  // namespace capwright::lint::rules::reference_shape
