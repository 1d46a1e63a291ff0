// CAP909: clusters that change their cloud identity.
#include "lint/engine/change_rule.h"

namespace capwright::lint::rules::identity_changed {
namespace {

// "AWSClusterRoleIdentity `platform`"; a Secret if the reference has no kind.
std::string shown(const Node& identity) {
  const std::string_view kind = identity["kind"] ? identity["kind"].text() : identity["type"].text();
  return fmt::format("{} `{}`", kind.empty() ? "Secret" : kind, identity["name"].text());
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr || change.after == nullptr) return;
  for (const Object* object : change.after->objects()) {
    const Node identity = (*object)["spec.identityRef"];
    const Object* old = identity ? change.old_of(*object) : nullptr;
    const Node was = old != nullptr ? (*old)["spec.identityRef"] : Node();
    if (!was || shown(was) == shown(identity)) continue;
    report.at(identity["name"], "{} uses another identity: {} becomes {}", object->title(), shown(was), shown(identity))
        .note("if it belongs to another project or account, the cluster's resources aren't found")
        .help("to change a password or key, change the content of {}", shown(was));
  }
}

}  // namespace

CW_LINT_RULE(identity_changed){
    .code = "CAP909",
    .name = "identity-changed",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a change of `identityRef` of an existing infrastructure object.

## Why is this bad?

The provider uses this identity to find everything that it created. In another project or account it finds nothing, so it
creates networks and machines again, or can't delete the old ones. To change a password or key, change the Secret and keep
its name. `capwright plan` checks the change against its base.

## Example

```yaml file=before/cluster.yaml
kind: OpenStackCluster
metadata: {name: prod}
spec: {identityRef: {name: prod-cloud-config, cloudName: openstack}}
```
```yaml file=after/cluster.yaml
kind: OpenStackCluster
metadata: {name: prod}
spec:
  identityRef:
    name: shared-cloud-config   # warning: [identity-changed] "Secret `prod-cloud-config` becomes Secret `shared-cloud-config`"
    cloudName: openstack
```

## Use instead

```yaml file=before/cluster.yaml
kind: AWSCluster
metadata: {name: prod}
spec: {identityRef: {kind: AWSClusterRoleIdentity, name: platform}, region: eu-central-1}
```
```yaml file=after/cluster.yaml
kind: AWSCluster
metadata: {name: prod}
spec: {identityRef: {name: platform, kind: AWSClusterRoleIdentity}, region: eu-central-1, sshKeyName: platform}
```
)md",
};

CW_CHANGE_RULE(identity_changed, check);

}  // namespace capwright::lint::rules::identity_changed
