// CAP906: networks of clusters that exist.
#include <string>

#include "lint/change.h"
#include "lint/immutable_fields.h"

namespace capwright::lint {
namespace {

std::string shown(const Node& node) {
  if (!node.is(Kind::List)) return node.exists() ? node.written() : "unset";
  std::string text;
  for (const Node item : node.items()) text += (text.empty() ? "" : ", ") + item.written();
  return text;
}

void check_field(const ImmutableField& field, const Node& was, const Node& is, Report& report) {
  if (json_equal(was.value(), is.value())) return;
  const std::vector<Node> parts = changed_parts(was, is);
  report
      .at(parts.front(), "{} of a cluster that exists {} from `{}` to `{}`", field.what,
          field.what.starts_with("the addresses") ? "change" : "changes", shown(was), shown(is))
      .note("{}", field.why)
      .help("make a new cluster, or change it back");
}

void check(const ClusterChange& change, Report& report) {
  if (change.after == nullptr) return;
  for (const ImmutableField& field : immutable_network_fields()) {
    for (const Object* object : change.after->of_kind(field.kind)) {
      const Object* old = change.old_of(*object);
      if (old == nullptr) continue;
      for (const auto& [was, is] : sides_of(field, *old, *object)) check_field(field, was, is, report);
    }
  }
}

}  // namespace

CW_LINT_RULE(network_changed){
    .code = "CAP906",
    .name = "network-changed",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
A change gives a cluster that exists another network: ranges of pods or services, the domain of services, the port of the API
server, the CNI or the way in which nodes register.

Cluster API writes these into machines when they are made. After a change, machines of both kinds are in one cluster, and don't
reach each other. It needs a new cluster. `capwright plan` checks it against a base.

## Invalid

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {clusterNetwork: {pods: {cidrBlocks: [10.244.0.0/16]}, serviceDomain: cluster.local}}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec:
  clusterNetwork:
    pods:
      cidrBlocks: [10.245.0.0/16]   # error: [network-changed] "from `10.244.0.0/16` to `10.245.0.0/16`"
    serviceDomain: cluster.local
```

Another CNI:

```yaml file=before/cluster.yaml
kind: RKE2ControlPlane
metadata: {name: prod}
spec: {serverConfig: {cni: canal}}
```
```yaml file=after/cluster.yaml
kind: RKE2ControlPlane
metadata: {name: prod}
spec:
  serverConfig:
    cni: cilium   # error: [network-changed] "the CNI of a cluster that exists"
```

## Valid

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {clusterNetwork: {pods: {cidrBlocks: [10.244.0.0/16]}}}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
spec: {clusterNetwork: {pods: {cidrBlocks: ["10.244.0.0/16"]}}}
```
)md",
};

CW_CHANGE_RULE(network_changed, check);

}  // namespace capwright::lint
