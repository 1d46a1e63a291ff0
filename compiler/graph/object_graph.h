// The objects of clusters and the links between them: names and places, never the objects' content. Includes missing
// and unused objects.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lint/model/references.h"

namespace capwright::graph {

using lint::Standing;

// The role or state of a vertex.
enum class Use : std::uint8_t {
  Normal,
  Unused,   // exists only to be referred to, and nothing refers to it
  Retired,  // an earlier generation of a template, kept on purpose
};

// An object of Kubernetes; a values file (kind "File"); a Helm chart or a Git repository ("Chart", "Repository").
struct Vertex {
  std::string id;       // "cluster.x-k8s.io/Cluster/prod/prod"; unique in the graph, and printable
  std::string cluster;  // the cluster whose tree it is in, or missing from; empty: none
  std::string group, version, kind, space, name;  // empty name: no specific object, such as a selected one
  std::string file;                               // empty: not in a tree
  std::uint32_t line = 0;                         // from 1
  Standing standing = Standing::Present;
  Use use = Use::Normal;
};

enum class Relation : std::uint8_t {
  RefersTo,
  BelongsTo,  // to a Cluster, by `clusterName`
  Selects,    // by labels
  DeploysTo,  // the Cluster that an Application deploys to
  Reads,      // a file of values
  Installs,   // a chart, or a directory of a repository
};
std::string_view relation_name(Relation);  // "refers-to"

struct Edge {
  std::size_t from = 0, to = 0;  // places in ObjectGraph::vertices
  Relation relation = Relation::RefersTo;
  std::string field;       // "spec.template.spec.bootstrap.configRef"
  std::uint32_t line = 0;  // of the field, in the file of `from`
  std::string names;       // "Secret/prod-cloud-config", if the field names an object that the target creates
};

struct ObjectGraph {
  std::vector<Vertex> vertices;  // by cluster: objects in the order of files and documents, then their targets
  std::vector<Edge> edges;       // in the order of `from`, then of fields
};

// The graph of one cluster, without ids. Secrets in names and paths are redacted. It doesn't refer to the cluster, so
// that the cluster need not stay in memory. Thread-safe for different clusters.
ObjectGraph graph_of(lint::Cluster& cluster);
// One graph of all parts, with ids. Clusters don't refer to each other; an object outside of all of them becomes one
// vertex.
ObjectGraph join(std::vector<ObjectGraph> parts);

// The output formats of an object graph. Each is a pure function of the graph.

std::string as_text(const ObjectGraph&);     // trees for people, starting at objects without incoming references
std::string as_dot(const ObjectGraph&);      // Graphviz
std::string as_mermaid(const ObjectGraph&);  // a Mermaid flowchart, for Markdown pages on forges
// {"version": 1, "objects": […], "references": […]}; docs/graph.md describes it.
std::string as_json(const ObjectGraph&);

}  // namespace capwright::graph
