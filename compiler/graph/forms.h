// The forms in which an object graph leaves. Each is a function of the graph alone.
#pragma once
#include <string>

#include "graph/object_graph.h"

namespace capwright::graph {

std::string as_text(const ObjectGraph&);     // trees for people, from what nothing refers to
std::string as_dot(const ObjectGraph&);      // Graphviz
std::string as_mermaid(const ObjectGraph&);  // a flowchart of Mermaid, as Markdown pages of forges draw it
// {"version": 1, "objects": […], "references": […]}; docs/graph.md describes it.
std::string as_json(const ObjectGraph&);

}  // namespace capwright::graph
