// The CNI of a cluster and the ranges of its pods' addresses, as far as the tree contains them.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "lint/facts/networks.h"
#include "lint/model/inner_objects.h"

namespace capwright::lint {

struct Cni {
  std::string_view id;     // as in networks.yaml: "canal", "cilium-vxlan"
  std::string_view title;  // "Canal"
  Node place;              // where it is installed
};
// Empty when no manifest determines it, or when its setup is custom.
std::optional<Cni> cni_of(const ClusterParts& parts, InnerObjects& inner);

// A range that the CNI assigns to pods.
struct PodPool {
  std::string_view title;  // "Canal"
  Node text;
  bool whole;  // must equal the cluster's pod range; otherwise a part of it is enough
};
std::vector<PodPool> pod_pools_of(const ClusterParts& parts, InnerObjects& inner);

// A range that the CNI assigns to pods because the values of its chart set none.
struct DefaultPods {
  std::string_view title, range;
  std::string_view key;  // of the values, which sets another
  Node place;            // the chart's values, or the object that installs it
};
// Empty if the values aren't in the tree.
std::vector<DefaultPods> default_pods_of(const Cluster& cluster);

// Chart values in the tree: files `values.yaml` that aren't objects, and the values in Applications.
const std::vector<Node>& chart_values_in(const Cluster& cluster);

}  // namespace capwright::lint
