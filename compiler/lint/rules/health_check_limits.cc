// CAP405: MachineHealthChecks that replace machines too early, too many at once, or never.
#include "cel/time.h"
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "lint/facts/machine_groups.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::health_check_limits {
namespace {

// Seconds that an OpenStack machine with a volume, or one whose pod network comes up late, may take to become a node.
constexpr std::int64_t kStartup = 600;
// Seconds for restarts of a kubelet and short network outages.
constexpr std::int64_t kPatience = 180;

// An integer of v1beta2, or a duration of v1beta1.
std::optional<std::int64_t> seconds_of(const Node& node) {
  if (const auto seconds = node.integer()) return seconds;
  const auto nanos = cel::parse_duration(node.text());
  return nanos ? std::optional(*nanos / cel::kNanosPerSecond) : std::nullopt;
}

Node first_of(const Node& newer, const Node& older) { return newer ? newer : older; }

void check_times(const Object& health_check, Report& report) {
  const Node startup =
      first_of(health_check["spec.checks.nodeStartupTimeoutSeconds"], health_check["spec.nodeStartupTimeout"]);
  const Object* cluster = named_cluster(health_check);
  const auto seconds = seconds_of(startup);
  if (seconds && *seconds > 0 && *seconds < kStartup && cluster != nullptr && openstack_of(*cluster) != nullptr)
    report
        .at(startup, "a machine that needs more than {} s to become a node is replaced, and so is its replacement",
            *seconds)
        .note("booting from a volume, or waiting for the CNI, sometimes takes longer")
        .help("allow {} s", kStartup);
  const Node conditions =
      first_of(health_check["spec.checks.unhealthyNodeConditions"], health_check["spec.unhealthyConditions"]);
  for (const Node condition : conditions.items()) {
    const Node patience = first_of(condition["timeoutSeconds"], condition["timeout"]);
    const auto after = seconds_of(patience);
    if (!after || *after >= kPatience) continue;
    report.at(patience, "a node is replaced after {} s, which is as long as a restart of its kubelet may take", *after)
        .help("allow at least {} s", kPatience);
  }
}

// The number of unhealthy machines among `count` up to which machines are replaced, rounded as in Cluster API; empty:
// no limit.
std::optional<std::int64_t> limit_of(const Node& node, std::int64_t count) {
  if (const auto number = node.integer()) return number;
  std::string_view text = node.text();
  if (!text.ends_with('%')) return whole_number(text);
  text.remove_suffix(1);
  const auto percent = whole_number(text);
  return percent ? std::optional(*percent * count / 100) : std::nullopt;
}

void check_control_plane_limit(const Node& node, std::int64_t limit, const MachineSet& set, Report& report) {
  const std::int64_t count = *set.replicas(), spare = (count - 1) / 2;
  if (count < 3 || limit <= spare) return;
  report.at(node, "control planes are still replaced while {} of {} are broken", limit, count)
      .also((*set.owner)["spec.replicas"], "the number of control planes")
      .note(
          "etcd keeps its majority with {} broken; a replacement beyond that deletes data that could still be "
          "recovered",
          spare)
      .help("allow at most {}", spare);
}

void check_limit(const Object& health_check, const Node& node, Report& report) {
  const Object* cluster = named_cluster(health_check);
  if (cluster == nullptr) return;
  std::int64_t machines = 0;
  for (const MachineGroup* group : machine_groups(*cluster).selected_by(health_check["spec.selector"])) {
    machines += group->replicas;
    if (!group->sets.front()->is_control_plane) {
      if (group->has_unknown_replicas) return;  // scaled by another component
      continue;
    }
    for (const MachineSet* set : group->sets) {
      if (!set->replicas()) return;
      const auto limit = limit_of(node, *set->replicas());
      if (limit) check_control_plane_limit(node, *limit, *set, report);
      if (*set->replicas() < 2) return;  // never replaced in any case
    }
  }
  const auto limit = limit_of(node, machines);
  if (machines == 0 || !node.text().ends_with('%') || node.text() == "0%" || limit != 0) return;
  report.at(node, "{} of {} is less than one machine, so nothing is ever replaced", node.text(), machines)
      .note("Cluster API rounds percentages down")
      .help("write a number of machines, or a higher percentage")
      .as(Severity::Note);
}

void check(const Object& health_check, Report& report) {
  check_times(health_check, report);
  const Node limit = first_of(health_check["spec.remediation.triggerIf.unhealthyLessThanOrEqualTo"],
                              health_check["spec.maxUnhealthy"]);
  const Node range =
      first_of(health_check["spec.remediation.triggerIf.unhealthyInRange"], health_check["spec.unhealthyRange"]);
  if (limit) check_limit(health_check, limit, report);
  if (limit || range) return;
  report.at(health_check["spec.remediation.triggerIf"], "if all machines seem broken, all are replaced at once")
      .note("a network failure or full disks look like that, and new machines fix neither")
      .help("set `remediation.triggerIf.unhealthyLessThanOrEqualTo`, such as 40%");
}

}  // namespace

CW_LINT_RULE(health_check_limits){
    .code = "CAP405",
    .name = "health-check-limits",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "MachineHealthCheck",
    .docs = R"md(
## What it does

Reports a MachineHealthCheck that replaces machines too early, too many of them, or never.

## Why is this bad?

Replacing a machine is harmful if something else is broken: the network, the image registry, the cloud. Timeouts and a limit
prevent that.

* Less than 600 s for a machine to become a node, on OpenStack: with a root volume or a CNI that is installed late, healthy
  machines are deleted while they start, forever.
* Less than 180 s until a node counts as broken: a restart of the kubelet is enough.
* No limit: when all machines seem broken, all are deleted.
* A limit for control planes that allows more broken machines than etcd tolerates.
* A percentage below one machine (note): Cluster API rounds down, so 40% of two machines is none, and neither is ever
  replaced.

## Example

```yaml
kind: MachineHealthCheck
metadata: {name: prod}
spec:   # warning: [health-check-limits] "if all machines seem broken, all are replaced at once"
  checks:
    unhealthyNodeConditions:
      - {type: Ready, status: Unknown, timeoutSeconds: 60}   # warning: [health-check-limits] "after 60 s"
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {replicas: 3}
---
kind: MachineHealthCheck
metadata: {name: prod}
spec:
  clusterName: prod
  selector: {matchLabels: {cluster.x-k8s.io/control-plane: ""}}
  checks:
    nodeStartupTimeoutSeconds: 600
    unhealthyNodeConditions:
      - {type: Ready, status: Unknown, timeoutSeconds: 180}
  remediation:
    triggerIf: {unhealthyLessThanOrEqualTo: 34%}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::health_check_limits
