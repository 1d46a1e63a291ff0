// CAP204: templates without a reference to them.
#include <set>
#include <utility>

#include "lint/engine/rule.h"
#include "lint/model/references.h"
#include "rotation/keep.h"

namespace capwright::lint::rules::orphan {
namespace {

bool is_template(const Object& object) {
  return object.kind().ends_with("MachineTemplate") || object.kind().ends_with("ConfigTemplate");
}

// Earlier generations are kept intentionally: machine sets that are being replaced still create machines from them.
bool is_kept(const Object& object) { return object.file().path.ends_with(rotation::kRetiredFile); }

void check(const Cluster& cluster, Report& report) {
  if (cluster.of_kind("Cluster").empty()) return;  // a partial tree doesn't contain all references
  std::set<std::pair<std::string_view, std::string_view>> used;
  for (const Object* object : cluster.objects()) {
    for (const Reference& reference : references_of(*object)) used.insert({reference.kind, reference.name});
  }
  for (const Object* object : cluster.objects()) {
    if (!is_template(*object) || is_kept(*object) || used.contains({object->kind(), object->name()})) continue;
    report.at(*object, "no object refers to this {}", object->kind())
        .help("refer to it from its machines' object, or remove it after they are replaced");
  }
}

}  // namespace

CW_LINT_RULE(orphan){
    .code = "CAP204",
    .name = "orphan",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a machine template or bootstrap template that no object refers to.

## Why is this bad?

A reference has a wrong name, or the template is left over from a pool that was replaced or deleted. Earlier generations that
capwright keeps in `retired-templates.yaml` are exempt.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
---
kind: OpenStackMachineTemplate
metadata:
  name: prod-old   # warning: [orphan] "no object refers to this OpenStackMachineTemplate"
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-a}
spec:
  template:
    spec:
      infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: OpenStackMachineTemplate, name: prod-a}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: {name: prod-a}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::orphan
