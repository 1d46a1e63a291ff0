// Objects inside the texts of other objects: manifests in ConfigMaps and Secrets that a ClusterResourceSet applies to a
// workload cluster, and manifests that bootstrap data writes to a machine's disk.
#pragma once
#include <deque>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"

namespace capwright::lint {

// Owns the documents that its Nodes point into; must outlive reporting.
class InnerObjects {
 public:
  explicit InnerObjects(const Cluster& cluster) : cluster_(cluster) {}
  InnerObjects(const InnerObjects&) = delete;
  InnerObjects& operator=(const InnerObjects&) = delete;

  // Objects of a kind: first the files of the tree, then those in ConfigMaps and Secrets whose text contains `mark`.
  // Other texts aren't parsed.
  std::vector<Node> of_kind(std::string_view kind, std::string_view mark);

 private:
  // The documents in a String.
  void read(const Node& text, std::string_view kind, std::vector<Node>& found);

  const Cluster& cluster_;
  std::deque<Document> documents_;
};

}  // namespace capwright::lint
