// CAP512: machines without FIPS in a cluster that requires it.
#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::image_without_fips {
namespace {

bool mentions_fips(std::string_view name) {
  for (const std::string_view word : {"fips", "FIPS", "Fips"}) {
    if (name.find(word) != std::string_view::npos) return true;
  }
  return false;
}

void report_name(const Node& name, const Node& wanted, Report& report) {
  if (name.text().empty() || mentions_fips(name.text())) return;
  report.at(name, "`fips_enabled` is true, but the image `{}` has no `fips` in its name", name.text())
      .also(wanted, "the cluster's setting")
      .note("only an image can boot its kernel in FIPS mode; a manifest can't enable it")
      .help("use an image that boots with `fips=1`, and put `fips` in its name");
}

void check_agent_pools(const Object& pool, const Node& wanted, Report& report) {
  for (const Node resource : pool["spec.resources"].items()) {
    if (resource["kind"].text() != "ManagedClustersAgentPool" || resource["spec.enableFIPS"].is_true()) continue;
    report.at(resource["spec.enableFIPS"], "`fips_enabled` is true, but this AKS pool has no FIPS images")
        .also(wanted, "the cluster's setting")
        .help("set `enableFIPS: true`");
  }
}

void check_node_group(const Object& pool, const Node& wanted, Report& report) {
  const Node type = pool["spec.amiType"];
  if (type.text() == "CUSTOM") return report_name(pool["spec.awsLaunchTemplate.imageLookupFormat"], wanted, report);
  if (mentions_fips(type.text())) return;
  report.at(type, "`fips_enabled` is true, but this node group has no FIPS images")
      .also(wanted, "the cluster's setting")
      .help("use an `amiType` with FIPS, such as `BOTTLEROCKET_x86_64_FIPS`");
}

void check(const Cluster& tree, Report& report) {
  const Node wanted = tree.values()["fips_enabled"];
  if (!wanted.is_true()) return;
  for (const Object* machines : tree.of_kind("OpenStackMachineTemplate"))
    report_name((*machines)["spec.template.spec.image.filter.name"], wanted, report);
  for (const Object* machines : tree.of_kind("AWSMachineTemplate"))
    report_name((*machines)["spec.template.spec.imageLookupFormat"], wanted, report);
  for (const Object* pool : tree.of_kind("AWSManagedMachinePool")) check_node_group(*pool, wanted, report);
  for (const Object* pool : tree.of_kind("AzureASOManagedMachinePool")) check_agent_pools(*pool, wanted, report);
  for (const Object* control_plane : tree.of_kind("KThreesControlPlane"))
    report.at(*control_plane, "`fips_enabled` is true, but k3s has no FIPS build")
        .also(wanted, "the cluster's setting")
        .help("use RKE2, which has a FIPS module");
}

}  // namespace

CW_LINT_RULE(image_without_fips){
    .code = "CAP512",
    .name = "image-without-fips",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports machines without FIPS although the values have `fips_enabled: true`.

## Why is this bad?

FIPS 140 needs validated modules in the kernel, the system's libraries and Kubernetes, and all three come with the image.
Machines with another image join without an error, and the cluster isn't compliant. The rule checks names of images; it can't
check an image that is given by ID.

## Example

```yaml file=values.yaml
fips_enabled: true
```
```jinja file=main.j2
# FILE: clusters/values/cluster.yaml
kind: OpenStackMachineTemplate
metadata: {name: gov}
spec:
  template:
    spec:
      image:
        filter:
          name: ubuntu-2404-kube-v1.35.8   # error: [image-without-fips] "`fips_enabled` is true, but the image"
```

## Use instead

```yaml file=values.yaml
fips_enabled: true
```
```jinja file=main.j2
# FILE: clusters/values/cluster.yaml
kind: OpenStackMachineTemplate
metadata: {name: gov}
spec: {template: {spec: {image: {filter: {name: rke2-node-v1.36.3-fips}}}}}
---
kind: OpenStackMachineTemplate
metadata: {name: by-id}
spec: {template: {spec: {image: {id: 8f0f2a11-2f4e-4d0a-8a0f-0d5f3f3c9e77}}}}
---
kind: AWSManagedMachinePool
metadata: {name: general}
spec: {amiType: BOTTLEROCKET_x86_64_FIPS}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::image_without_fips
