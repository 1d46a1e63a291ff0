// What can be reached from each node of a finished program, so that walkers skip what has nothing for them.
#pragma once
#include <functional>

#include "schema/program.h"
#include "value/stage.h"

namespace capwright::schema {

// Reports references that lead back to themselves for one and the same value; such a node accepts everything.
void cut_endless_references(Schema&, Stage&);

// Fills in Node::in_place, fills_defaults and marks_secrets.
void find_what_lies_below(Schema&);

// Calls `visit` for each subschema that `node` applies to the same value.
void for_each_in_place(const Node& node, const std::function<void(const Node&)>& visit);
// … and for each that it applies to members, items or names of the value.
void for_each_below(const Node& node, const std::function<void(const Node&)>& visit);

}  // namespace capwright::schema
