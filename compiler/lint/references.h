// References between objects, as Cluster API and its providers have them, and what a tree holds for them to find.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/cluster.h"

namespace capwright::lint {

// One reference: what it names, and the places of its parts.
struct Reference {
  const Object* from = nullptr;
  Node place;              // the map `{apiGroup, kind, name}`, or the scalar that is the name
  Node name_node;          // where the name stands
  std::string_view group;  // empty: the core group
  std::string_view kind, name;
  std::string_view space;  // where it is looked for; empty: nowhere in particular
};

// All references of an object to others that a tree of manifests holds, in the order of the object: those of
// `{apiGroup | apiVersion, kind, name}` wherever they stand, and those whose kind is known by their field, such as
// `identityRef`.
void each_reference(const Object& from, const std::function<void(const Reference&)>& visit);

// The object that it names; also one that makes it, such as an ExternalSecret a Secret. Null when the tree has none.
const Object* resolve(const Reference& reference, const Cluster& cluster);

// Names of all that it could have meant: objects of that kind.
std::vector<std::string_view> candidates_for(const Reference& reference, const Cluster& cluster);

// Whether a map has the form of a reference: a kind and a name, and no more than belongs to one.
bool is_reference(const Node& node);

}  // namespace capwright::lint
