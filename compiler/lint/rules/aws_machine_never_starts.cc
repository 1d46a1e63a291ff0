// CAP616: AWS machine templates whose machines the webhook, the provider or EC2 rejects.
#include <set>
#include <string>

#include "lint/engine/rule.h"
#include "lint/facts/machines.h"

namespace capwright::lint::rules::aws_machine_never_starts {
namespace {

// The webhook checks these fields of machines, but not of templates (cluster-api-provider-aws v2.13.0
// webhooks/awsmachine_webhook.go).
void check_market(const Node& spec, Report& report) {
  const Node reservation = spec["capacityReservationId"];
  const Node preference = spec["capacityReservationPreference"];
  const std::string_view market = spec["marketType"].text();
  const bool is_spot = market == "Spot" || spec["spotMarketOptions"];
  if (market == "CapacityBlock" && !reservation)
    report.at(spec["marketType"], "a capacity block needs its id, so no machine is created")
        .help("set `capacityReservationId`");
  if ((market == "CapacityBlock" || market == "OnDemand") && spec["spotMarketOptions"])
    report.at(spec["spotMarketOptions"], "`marketType` is `{}`, so no spot machine is created", market)
        .help("remove `spotMarketOptions` or `marketType`");
  if (reservation && (preference.text() == "Open" || preference.text() == "None"))
    report.at(preference, "the machine has a reservation and `{}`, so it is rejected", preference.text())
        .also(reservation, "the reservation")
        .help("remove `capacityReservationPreference`");
  if (preference.text() == "CapacityReservationsOnly" && is_spot)
    report.at(preference, "spot machines can't use reservations, so no machine is created")
        .help("remove `capacityReservationPreference`");
}

// The provider checks these when it starts a machine (pkg/cloud/services/ec2/instances.go).
void check_placement(const Node& spec, Report& report) {
  if (spec["placementGroupPartition"] && !spec["placementGroupName"])
    report.at(spec["placementGroupPartition"], "a partition needs its placement group, so no machine starts")
        .help("set `placementGroupName`");
  if (spec["hostID"] && spec["placementGroupName"])
    report.at(spec["placementGroupName"], "the provider ignores the placement group of a machine with `hostID`")
        .also(spec["hostID"], "the dedicated host")
        .help("remove `placementGroupName` or `hostID`")
        .as(Severity::Warning);
  if (spec["elasticIpPool"] && !spec["publicIP"].is_true())
    report.at(spec["elasticIpPool"], "the machine has no public address for `elasticIpPool`, so it is rejected")
        .help("set `publicIP: true`");
}

void check_disks(const Node& spec, Report& report) {
  std::set<std::string_view> devices;
  for (const Node disk : spec["nonRootVolumes"].items()) {
    const std::string_view device = disk["deviceName"].text();
    if (!device.empty() && !devices.insert(device).second)
      report.at(disk["deviceName"], "two disks have the device `{}`, so EC2 starts no machine", device)
          .help("use another device");
  }
}

// Whether a rollout adds a machine before it removes one, as by default.
bool has_surge(const Object& owner) {
  for (const Node strategy : {owner["spec.rollout.strategy"], owner["spec.strategy"]}) {
    if (strategy["type"].text() == "OnDelete") return false;
    const std::string surge = strategy["rollingUpdate.maxSurge"].written();
    if (!surge.empty()) return surge != "0" && surge != "0%";
  }
  return true;
}

// An existing interface belongs to one machine, and a rollout with a surge needs it twice.
void check_interfaces(const Object& machines, Report& report) {
  const Node interfaces = machines["spec.template.spec.networkInterfaces"];
  if (!interfaces) return;
  for (const MachineSet& set : machine_sets(machines.cluster())) {
    if (set.machine_template != &machines) continue;
    if (set.replicas().value_or(2) > 1)
      report.at(interfaces, "several machines share a network interface, so only the first starts")
          .also((*set.owner)["spec.replicas"], "the number of machines")
          .help("use one pool of one machine for each interface");
    else if (has_surge(*set.owner))
      report.at(interfaces, "a rollout starts a machine whose network interface the old one still has")
          .also(*set.owner, "the rollout")
          .help("set `maxSurge: 0` and `maxUnavailable: 1`");
  }
}

void check(const Object& machines, Report& report) {
  const Node spec = machines["spec.template.spec"];
  check_market(spec, report);
  check_placement(spec, report);
  check_disks(spec, report);
  check_interfaces(machines, report);
}

}  // namespace

CW_LINT_RULE(aws_machine_never_starts){
    .code = "CAP616",
    .name = "aws-machine-never-starts",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds = "AWSMachineTemplate",
    .docs = R"md(
## What it does

Reports an AWS machine template that is accepted, although no machine can start from it.

## Why is this bad?

The webhook checks some fields only of machines, not of templates. The provider checks others only when it starts a
machine. Cluster API then waits for machines that never start, in a rollout perhaps after it deleted the old ones:

* a capacity block without its id, a reservation together with spot or with a preference other than
  `CapacityReservationsOnly`
* a partition without its placement group, a pool of addresses without a public address
* two disks with one device
* existing network interfaces of more than one machine, or in a rollout with a surge

A placement group beside `hostID` is only a warning: the provider ignores it.

## Example

```yaml
kind: AWSMachineTemplate
metadata: {name: training}
spec:
  template:
    spec:
      instanceType: p5.48xlarge
      marketType: CapacityBlock   # error: [aws-machine-never-starts] "a capacity block needs its id"
      placementGroupPartition: 2   # error: [aws-machine-never-starts] "a partition needs its placement group"
```

## Use instead

```yaml
kind: AWSMachineTemplate
metadata: {name: training}
spec:
  template:
    spec:
      instanceType: p5.48xlarge
      marketType: CapacityBlock
      capacityReservationId: cr-0a1b2c3d4e5f60001
      placementGroupName: training
      placementGroupPartition: 2
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::aws_machine_never_starts
