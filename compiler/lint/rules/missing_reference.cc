// CAP201: references to objects that no file of the cluster holds.
#include <algorithm>

#include "diag/suggest.h"
#include "lint/references.h"
#include "lint/rule.h"
#include "text/glob.h"

namespace capwright::lint {
namespace {

// Kinds that a cluster's own files always hold; others, such as credentials and identities, may be there already.
bool is_of_the_tree(std::string_view kind) {
  return kind == "Cluster" || kind.ends_with("Cluster") || kind.ends_with("ControlPlane") ||
         kind.ends_with("Template") || kind.ends_with("MachinePool") || kind.ends_with("Config");
}

bool is_external(const Reference& reference, const Cluster& cluster) {
  const std::string name = fmt::format("{}/{}", reference.kind, reference.name);
  const auto& externals = cluster.context().externals;
  return std::any_of(externals.begin(), externals.end(),
                     [&](const std::string& glob) { return glob_matches(glob, name); });
}

void check_reference(const Reference& reference, const Cluster& cluster, Report& report) {
  if (resolve(reference, cluster) != nullptr || is_external(reference, cluster)) return;
  const std::vector<std::string_view> candidates = candidates_for(reference, cluster);
  const std::string meant = did_you_mean(reference.name, candidates);
  // A single manifest out of a tree says nothing of what else there is.
  const bool is_whole = !cluster.of_kind("Cluster").empty();
  if (meant.empty() && (!is_whole || !is_of_the_tree(reference.kind))) return;
  Finding& finding = report.at(reference.name_node, "there is no {} `{}`", reference.kind, reference.name);
  if (!meant.empty()) finding.help("{}", meant);
  else if (!candidates.empty()) finding.help("there is {}", list_names(candidates));
}

void check(const Object& object, Report& report) {
  const auto visit = [&](const Reference& reference) { check_reference(reference, object.cluster(), report); };
  each_reference(object, visit);
}

}  // namespace

CW_LINT_RULE(missing_reference){
    .code = "CAP201",
    .name = "missing-reference",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
A reference names an object that isn't among the files of the cluster.

Cluster API waits for the object without an error that anybody sees: the cluster stays in `Provisioning`. As a rule one of two
places was renamed, or the digest at the end of a template's name is that of another spec. Credentials and identities may
exist beside the tree; a reference to one is reported only if a similar name is there. For other objects that exist already,
`lint: externals: ["Kind/name"]` of `capwright.yaml` says so.

## Invalid

```yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: {name: prod, namespace: prod}
spec:
  machineTemplate:
    spec:
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: OpenStackMachineTemplate
        name: prod-controlplane   # error: [missing-reference] "there is no OpenStackMachineTemplate `prod-controlplane`"
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: prod-control-plane, namespace: prod}
```

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: prod}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackCluster, name: prod}   # error: [missing-reference]
```

```yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: prod, namespace: prod}
spec:
  identityRef: {name: prod-cloud-confg, cloudName: openstack}   # error: [missing-reference]
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: prod-credentials, namespace: prod}
spec: {target: {name: prod-cloud-config}}
```

## Valid

```yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: prod, namespace: prod}
spec:
  identityRef: {name: team-credentials, cloudName: openstack}   # exists beside the tree
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: prod}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackCluster, name: prod}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint
