// CAP909: clusters that reach their cloud as somebody else.
#include "lint/change.h"

namespace capwright::lint {
namespace {

// "AWSClusterRoleIdentity `platform`"; a Secret, where the reference says no kind.
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
    report
        .at(identity["name"], "{} reaches its cloud with another identity: {} becomes {}", object->title(), shown(was),
            shown(identity))
        .note("if it belongs to another project or account, nothing that the cluster has there is found again")
        .help("to change a password or key, change what is in {}", shown(was));
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

A change gives an infrastructure object that exists another identity: `identityRef` names another Secret or identity object.

## Why is this bad?

The provider looks with it for everything that it has made. In another project or account there is nothing, so it makes networks and
machines anew, or can't delete the old ones. To change a password or key, change the Secret under its name. `capwright plan`
checks it against a base.

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

}  // namespace capwright::lint
