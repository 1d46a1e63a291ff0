// The objects of clusters and what leads from one to another: names and places, never what objects hold. What is
// missing and what nobody needs is part of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/references.h"

namespace capwright::graph {

using lint::Standing;

// What a vertex is good for.
enum class Use : std::uint8_t {
  Normal,
  Unused,   // it is there to be referred to, and nothing refers to it
  Retired,  // an earlier generation of a template, kept on purpose
};

// An object of Kubernetes; a values file (kind "File"); a Helm chart or a Git repository ("Chart", "Repository").
struct Vertex {
  std::string id;       // "cluster.x-k8s.io/Cluster/prod/prod"; unique in the graph, and printable
  std::string cluster;  // whose tree it is in, or is missing in; empty: no cluster's
  std::string group, version, kind, space, name;  // empty name: no such object at all, such as one that is selected
  std::string file;                               // empty: not in a tree
  std::uint32_t line = 0;                         // from 1
  Standing standing = Standing::Present;
  Use use = Use::Normal;
};

enum class Relation : std::uint8_t {
  RefersTo,
  BelongsTo,  // to a Cluster, by `clusterName`
  Selects,    // by labels
  DeploysTo,  // the Cluster that an Application goes to
  Reads,      // a file of values
  Installs,   // a chart, or a folder of a repository
};
std::string_view relation_name(Relation);  // "refers-to"

struct Edge {
  std::size_t from = 0, to = 0;  // places in ObjectGraph::vertices
  Relation relation = Relation::RefersTo;
  std::string field;       // "spec.template.spec.bootstrap.configRef"
  std::uint32_t line = 0;  // of the field, in the file of `from`
  std::string names;       // "Secret/prod-cloud-config", when the object that it leads to makes what is named
};

struct ObjectGraph {
  std::vector<Vertex> vertices;  // by cluster: objects in the order of files and documents, then what they lead to
  std::vector<Edge> edges;       // in the order of `from`, then of fields
};

// Clusters don't refer to each other; what lies outside of them all is one vertex. Texts of secrets that names or paths
// are made of are covered.
ObjectGraph object_graph(std::span<const lint::Cluster* const> clusters);

}  // namespace capwright::graph
