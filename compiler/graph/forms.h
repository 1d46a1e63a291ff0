// The output formats of an object graph. Each is a pure function of the graph.
#pragma once
#include <string>

#include "graph/object_graph.h"

namespace capwright::graph {

std::string as_text(const ObjectGraph&);     // trees for people, starting at objects without incoming references
std::string as_dot(const ObjectGraph&);      // Graphviz
std::string as_mermaid(const ObjectGraph&);  // a Mermaid flowchart, for Markdown pages on forges
// {"version": 1, "objects": […], "references": […]}; docs/graph.md describes it.
std::string as_json(const ObjectGraph&);

}  // namespace capwright::graph
