// Which CNI a cluster gets, and the ranges that it takes pods' addresses from, as far as a tree tells.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "lint/inner_objects.h"
#include "lint/networks.h"

namespace capwright::lint {

struct Cni {
  std::string_view id;     // as networks.yaml has it: "canal", "cilium-vxlan"
  std::string_view title;  // "Canal"
  Node place;              // what says so
};
// Nothing when no manifest says it, or when it is set up in a way of its own.
std::optional<Cni> cni_of(const ClusterParts& parts, InnerObjects& inner);

// A range that the CNI gives pods addresses of.
struct PodPool {
  std::string_view title;  // "Canal"
  Node text;
  bool whole;  // has to be all of the pods' range; else a part of it will do
};
std::vector<PodPool> pod_pools_of(const ClusterParts& parts, InnerObjects& inner);

// Values that the tree has for charts: files `values.yaml` that are no objects, and those in Applications.
const std::vector<Node>& chart_values_in(const Cluster& cluster);

}  // namespace capwright::lint
