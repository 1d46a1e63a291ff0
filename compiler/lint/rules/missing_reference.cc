// CAP201: references to objects that no file of the cluster contains.
#include <fmt/format.h>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/unknown_kinds.h"
#include "lint/model/references.h"

namespace capwright::lint::rules::missing_reference {
namespace {

// Also checked in incomplete trees: objects of a nonexistent kind can't exist anywhere.
bool check_kind(const Reference& reference, const Cluster& cluster, Report& report) {
  const Node kind = is_reference(reference.place) ? reference.place["kind"] : Node();
  const std::string_view meant = kind ? meant_kind(reference.group, reference.kind, cluster) : std::string_view();
  if (meant.empty()) return false;
  const std::string group = reference.group.empty() ? "the core group" : fmt::format("`{}`", reference.group);
  report.at(kind, "{} has no kind `{}`", group, reference.kind)
      .help("did you mean `{}`?", meant)
      .fix(kind, std::string(meant), Safety::Unsafe, "use the existing kind");
  return true;
}

// The object with the same kind and name, but another group; null: there is none.
const Object* of_other_group(const Reference& reference, const Cluster& cluster) {
  for (const Object* object : cluster.of_kind(reference.kind)) {
    const bool is_other = !reference.group.empty() && !object->group().empty() && object->group() != reference.group;
    if (is_other && object->name() == reference.name) return object;
  }
  return nullptr;
}

void check_reference(const Reference& reference, const Cluster& cluster, Report& report) {
  const Standing standing = standing_of(reference, cluster);
  if (standing == Standing::Present || standing == Standing::External) return;
  if (check_kind(reference, cluster, report) || standing != Standing::Missing) return;
  if (const Object* other = of_other_group(reference, cluster); other != nullptr) {
    report
        .at(reference.name_node, "{} `{}` doesn't exist in the group `{}`", reference.kind, reference.name,
            reference.group)
        .also((*other)["apiVersion"], fmt::format("it is in `{}`", other->group()))
        .help("write the same group in both places");
    return;
  }
  const std::vector<std::string_view> candidates = candidates_for(reference, cluster);
  const std::string meant = did_you_mean(reference.name, candidates);
  Finding& finding = report.at(reference.name_node, "{} `{}` doesn't exist", reference.kind, reference.name);
  if (!meant.empty()) finding.help("{}", meant);
  else if (!candidates.empty()) finding.help("the tree has {}", list_names(candidates));
  else
    finding.of_template().help(
        "render the {0}, or list `{0}/{1}` in `lint.externals` if it already exists (`{0}/*`: all names)",
        reference.kind, reference.name);
}

void check(const Object& object, Report& report) {
  for (const Reference& reference : references_of(object)) check_reference(reference, object.cluster(), report);
}

}  // namespace

CW_LINT_RULE(missing_reference){
    .code = "CAP201",
    .name = "missing-reference",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a reference to an object that isn't among the cluster's files.

## Why is this bad?

Cluster API waits for the object without a visible error, and the cluster stays in `Provisioning`. Usually one of two places
was renamed, or the digest at the end of a template's name belongs to another spec. A reference whose kind is unknown but
similar to a known one is reported, too.

Credentials and identities may exist outside the tree: a reference to one is only reported if the tree has a similar name.

## Example

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
        name: prod-controlplane   # error: [missing-reference] "OpenStackMachineTemplate `prod-controlplane` doesn't exist"
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: prod-control-plane, namespace: prod}
```

## Use instead

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

## Options

`lint.externals` in `capwright.yaml`: objects that already exist, as `Kind/name`.

## Fix

Unsafe: uses the name or the kind that exists.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::missing_reference
