// Fields of OpenStackCluster that rules ask for, in v1beta1 and v1beta2.
#pragma once
#include <optional>

#include "lint/machines.h"

namespace capwright::lint {

// The block of the API's load balancer, which may be off or absent.
inline Node api_load_balancer(const Object& infrastructure) {
  const Node newer = infrastructure["spec.apiServer.managedLoadBalancer"];
  return newer ? newer : infrastructure["spec.apiServerLoadBalancer"];
}

// v1beta2 takes a block without `enabled` for an order, v1beta1 asks for the word.
inline bool has_api_load_balancer(const Object& infrastructure) {
  const Node balancer = api_load_balancer(infrastructure);
  return balancer && balancer["enabled"].boolean().value_or(infrastructure.version() == "v1beta2");
}

// The API's address where somebody chose it; absent otherwise.
inline Node fixed_api_address(const Object& infrastructure) {
  const Node newer = infrastructure["spec.apiServer.fixedIP"];
  return newer ? newer : infrastructure["spec.apiServerFixedIP"];
}

// Where clients find the API when no load balancer is asked for: an address that somebody else looks after, or one that
// the control planes share, which the provider only uses when it gives the API no floating IP.
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
