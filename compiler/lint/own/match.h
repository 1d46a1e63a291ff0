// Which objects one of the repository's own rules applies to.
#pragma once
#include "lint/model/cluster.h"
#include "lint/own/rule.h"

namespace capwright::lint::own {

// By kind, name and labels. A policy is matched against a request that creates the object.
bool is_for(const Rule& rule, const Object& object);

// "machinedeployments": from the known releases, otherwise as Kubernetes derives it from the kind.
std::string resource_of(const Object& object);

}  // namespace capwright::lint::own
