// Which objects a rule of the repository's own is for.
#pragma once
#include "lint/cluster.h"
#include "lint/own/rule.h"

namespace capwright::lint::own {

// By kind, name and labels. A policy is asked as for a request that creates the object.
bool is_for(const Rule& rule, const Object& object);

// "machinedeployments": as the releases that the run knows have it, else as Kubernetes guesses it.
std::string resource_of(const Object& object);

}  // namespace capwright::lint::own
