// Fields of OpenStackCluster for rules, in v1beta1 and v1beta2.
#pragma once
#include <optional>

#include "lint/facts/machines.h"

namespace capwright::lint {

// The settings of the API server's load balancer, which may be disabled or absent.
inline Node api_load_balancer(const Object& infrastructure) {
  const Node newer = infrastructure["spec.apiServer.managedLoadBalancer"];
  return newer ? newer : infrastructure["spec.apiServerLoadBalancer"];
}

// In v1beta2 a block without `enabled` enables it; v1beta1 requires `enabled`.
inline bool has_api_load_balancer(const Object& infrastructure) {
  const Node balancer = api_load_balancer(infrastructure);
  return balancer && balancer["enabled"].boolean().value_or(infrastructure.version() == "v1beta2");
}

// The configured address of the API server; absent if none is.
inline Node fixed_api_address(const Object& infrastructure) {
  const Node newer = infrastructure["spec.apiServer.fixedIP"];
  return newer ? newer : infrastructure["spec.apiServerFixedIP"];
}

// Where clients reach the API server without a load balancer: an externally managed address, or a virtual address of
// the control planes, which the provider only uses if the API server has no floating IP.
inline bool has_api_address(const Object& infrastructure) {
  if (infrastructure["spec.controlPlaneEndpoint.host"]) return true;
  if (infrastructure["spec.apiServer.fixedIP"])
    return !infrastructure["spec.apiServer.enableFloatingIP"].boolean().value_or(true);
  return infrastructure["spec.apiServerFixedIP"] && infrastructure["spec.disableAPIServerFloatingIP"].is_true();
}

// The OpenStackCluster of a Cluster; null when it is on another cloud, or not in the tree.
inline const Object* openstack_of(const Object& cluster) {
  const Object* infrastructure = infrastructure_of(cluster);
  return infrastructure != nullptr && infrastructure->kind() == "OpenStackCluster" ? infrastructure : nullptr;
}

}  // namespace capwright::lint
