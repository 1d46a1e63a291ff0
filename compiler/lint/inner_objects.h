// Objects that stand in the texts of others: the manifests that a ClusterResourceSet applies to a workload cluster, out
// of ConfigMaps and Secrets, and those that bootstrap data writes to a machine's disk.
#pragma once
#include <deque>
#include <string_view>
#include <vector>

#include "lint/cluster.h"

namespace capwright::lint {

// Owns the documents that its Nodes look into; what is reported outlives it.
class InnerObjects {
 public:
  explicit InnerObjects(const Cluster& cluster) : cluster_(cluster) {}
  InnerObjects(const InnerObjects&) = delete;
  InnerObjects& operator=(const InnerObjects&) = delete;

  // Objects of that kind: those that are files of the tree, then those in ConfigMaps and Secrets that say `mark`
  // somewhere; no other text is read.
  std::vector<Node> of_kind(std::string_view kind, std::string_view mark);

 private:
  // The documents in a String.
  void read(const Node& text, std::string_view kind, std::vector<Node>& found);

  const Cluster& cluster_;
  std::deque<Document> documents_;
};

}  // namespace capwright::lint
