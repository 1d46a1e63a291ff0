// CAP906: networks of clusters that exist.
#include <string>

#include "lint/change.h"

namespace capwright::lint {
namespace {

struct Fixed {
  std::string_view kind;
  Path path;
  std::string_view what;
  std::string_view why = "what runs in the cluster keeps the old ones, and new machines get the new ones";
};
constexpr std::string_view kMadeOnce = "the cloud keeps the network that was made with the cluster";

// What a cluster keeps for as long as it lives, by its kinds.
const Fixed kFixed[] = {
    {"Cluster", "spec.clusterNetwork.pods.cidrBlocks", "the addresses of pods"},
    {"Cluster", "spec.clusterNetwork.services.cidrBlocks", "the addresses of services"},
    {"Cluster", "spec.clusterNetwork.serviceDomain", "the domain of services"},
    {"Cluster", "spec.clusterNetwork.apiServerPort", "the port of the API server"},
    {"RKE2ControlPlane", "spec.serverConfig.cni", "the CNI"},
    {"RKE2ControlPlane", "spec.registrationMethod", "how nodes register"},
    {"KThreesControlPlane", "spec.kthreesConfigSpec.serverConfig.clusterCidr", "the addresses of pods"},
    {"KThreesControlPlane", "spec.kthreesConfigSpec.serverConfig.serviceCidr", "the addresses of services"},
    {"AWSCluster", "spec.network.vpc.cidrBlock", "the range of the VPC", kMadeOnce},
    {"AWSManagedControlPlane", "spec.network.vpc.cidrBlock", "the range of the VPC", kMadeOnce},
    {"AzureASOManagedCluster", "spec.resources[1].spec.addressSpace.addressPrefixes",
     "the range of the virtual network", kMadeOnce},
    {"AzureASOManagedCluster", "spec.resources[2].spec.addressPrefix", "the range of the subnet", kMadeOnce},
    {"OCICluster", "spec.networkSpec.vcn.cidr", "the range of the VCN", kMadeOnce},
    {"OCIManagedCluster", "spec.networkSpec.vcn.cidr", "the range of the VCN", kMadeOnce},
    {"AzureASOManagedControlPlane", "spec.resources[0].spec.networkProfile.podCidr", "the range of pods", kMadeOnce},
    {"AzureASOManagedControlPlane", "spec.resources[0].spec.networkProfile.serviceCidr", "the range of services",
     kMadeOnce},
};

std::string shown(const Node& node) {
  if (!node.is(Kind::List)) return node.exists() ? node.written() : "unset";
  std::string text;
  for (const Node item : node.items()) text += (text.empty() ? "" : ", ") + item.written();
  return text;
}

void check(const ClusterChange& change, Report& report) {
  if (change.after == nullptr) return;
  for (const Fixed& fixed : kFixed) {
    for (const Object* object : change.after->of_kind(fixed.kind)) {
      const Object* old = change.old_of(*object);
      if (old == nullptr) continue;
      const Node was = (*old)[fixed.path], is = (*object)[fixed.path];
      if (!was || json_equal(was.value(), is.value())) continue;
      const std::vector<Node> parts = changed_parts(was, is);
      report
          .at(parts.front(), "{} of a cluster that exists {} from `{}` to `{}`", fixed.what,
              fixed.what.starts_with("the addresses") ? "change" : "changes", shown(was), shown(is))
          .note("{}", fixed.why)
          .help("make a new cluster, or change it back");
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
