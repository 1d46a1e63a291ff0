// CAP602: disks of OpenStack machines that Nova or Cinder can't create.
#include <set>

#include "lint/engine/rule.h"

namespace capwright::lint::rules::openstack_disks {
namespace {

void check_names(const Node& devices, const Node& root, Report& report) {
  std::set<std::string_view> names;
  for (const Node device : devices.items()) {
    const std::string_view name = device["name"].text();
    if (name == "root") {
      Finding& finding = report.at(device["name"], "a disk can't be named `root`, the name of the boot disk");
      if (root) finding.also(root, "the boot disk");
      finding.note("the template is accepted, and machines that are created from it fail").help("use another name");
    } else if (!name.empty() && !names.insert(name).second) {
      report.at(device["name"], "two disks are named `{}`", name)
          .note("volumes are named after machine and disk, so the second is never created")
          .help("use another name");
    }
  }
}

void check(const Object& machines, Report& report) {
  const Node spec = machines["spec.template.spec"];
  const Node root = spec["rootVolume"];
  check_names(spec["additionalBlockDevices"], root, report);
  if (spec && !spec["flavor"] && !spec["flavorID"])
    report.at(spec["flavor"], "a machine needs a flavor").help("set `flavor` or `flavorID`");
  if (root && !root["type"])
    report.at(root["type"], "the root volume has no type")
        .note("the default type is often the slowest, and may change; etcd suffers first")
        .help("set `rootVolume.type`")
        .as(Severity::Warning);
}

}  // namespace

CW_LINT_RULE(openstack_disks){
    .code = "CAP602",
    .name = "openstack-disks",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "OpenStackMachineTemplate",
    .docs = R"md(
## What it does

Reports an OpenStack machine template that can't create machines, or that leaves the type of its disk open.

## Why is this bad?

The webhook validates machines, not templates. A template with a disk named `root`, or with two disks of one name, is
accepted, and each machine that is created from it fails. A `rootVolume` without `type` (warning) uses OpenStack's default
type, which may change.

## Example

```yaml
kind: OpenStackMachineTemplate
metadata: {name: general}
spec:
  template:
    spec:
      flavor: m1.large
      rootVolume: {sizeGiB: 60, type: ceph-ssd}
      additionalBlockDevices:
        - {name: root, sizeGiB: 20, storage: {type: Local}}   # error: [openstack-disks] "a disk can't be named `root`, the name of the boot disk"
        - {name: data, sizeGiB: 20, storage: {type: Local}}
        - {name: data, sizeGiB: 30, storage: {type: Local}}   # error: [openstack-disks] "two disks are named `data`"
```

## Use instead

```yaml
kind: OpenStackMachineTemplate
metadata: {name: general}
spec:
  template:
    spec:
      flavor: m1.large
      rootVolume: {sizeGiB: 60, type: ceph-ssd}
      additionalBlockDevices:
        - {name: etcd, sizeGiB: 20, storage: {type: Volume, volume: {type: ceph-nvme}}}
---
kind: OpenStackMachineTemplate
metadata: {name: local}
spec: {template: {spec: {flavorID: 3f1c0f5e-6c3d-4c2a-9a26-7a9d0f6f1b11}}}
```
)md",
    .instead_of_server = true,
    .check_object = check,
};

}  // namespace capwright::lint::rules::openstack_disks
