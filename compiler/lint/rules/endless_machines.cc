// CAP411: labels that a MachineDeployment looks for and that its machines never get.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::endless_machines {
namespace {

// Cluster API sets both on every machine, whatever the template says (cluster-api v1.14
// internal/controllers/machinedeployment/machinedeployment_rolloutplanner.go; 212 machines in 6.5 minutes on
// 2026-11-23).
constexpr std::string_view kDeployment = "cluster.x-k8s.io/deployment-name";
constexpr std::string_view kSet = "cluster.x-k8s.io/set-name";

constexpr std::string_view kEndless = ", so the selector never matches, and machines are created endlessly";

void check_labels(const Node& labels, const Object& pool, std::string_view outcome, Report& report) {
  static constexpr std::string_view kWhy = "every machine gets the name of its {} in this label{}";
  const Node name = labels.member(kDeployment), set = labels.member(kSet);
  if (name && !pool.name().empty() && name.text() != pool.name()) {
    report.at(name, "`{}` is `{}`, but the MachineDeployment is called `{}`", kDeployment, name.text(), pool.name())
        .note(kWhy, "MachineDeployment", outcome)
        .help("write `{}: {}`, or leave the label out", kDeployment, pool.name());
  }
  if (!set) return;
  report.at(set, "`{}` can't be set by a MachineDeployment", kSet)
      .note(kWhy, "MachineSet", outcome)
      .help("leave the label out");
}

void check(const Object& pool, Report& report) {
  check_labels(pool["spec.selector.matchLabels"], pool, kEndless, report);
  check_labels(pool["spec.template.metadata.labels"], pool, "", report);
}

}  // namespace

CW_LINT_RULE(endless_machines){
    .code = "CAP411",
    .name = "endless-machines",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds = "MachineDeployment",
    .docs = R"md(
## What it does

Reports a MachineDeployment whose selector never matches its own machines.

## Why is this bad?

Cluster API sets `cluster.x-k8s.io/deployment-name` on every machine to the name of its MachineDeployment, and
`cluster.x-k8s.io/set-name` to the name of its MachineSet. A selector with another value matches no machine, so the
MachineSet creates machines without end. It happens when a pool is copied and only its name is changed.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-batch}
spec:
  selector:
    matchLabels:
      cluster.x-k8s.io/deployment-name: prod-general   # error: [endless-machines] "is called `prod-batch`"
  template:
    metadata:
      labels:
        cluster.x-k8s.io/deployment-name: prod-general   # error: [endless-machines] "is called `prod-batch`"
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: prod-batch}
spec:
  selector:
    matchLabels:
      cluster.x-k8s.io/deployment-name: prod-batch
  template:
    metadata:
      labels:
        cluster.x-k8s.io/deployment-name: prod-batch
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::endless_machines
