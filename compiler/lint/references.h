// References between objects, as Cluster API and its providers have them, and what a tree holds for them to find.
#pragma once
#include <cstdint>
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
// `identityRef` or the `secret` that a file's content is from.
const std::vector<Reference>& references_of(const Object& object);

// The object that it names; also one that makes it, such as an ExternalSecret a Secret. Null when the tree has none.
const Object* resolve(const Reference& reference, const Cluster& cluster);

// Where the object that a reference names is.
enum class Standing : std::uint8_t {
  Present,   // among the manifests, or made by one of them
  External,  // beside them: `lint.externals` says so
  Assumed,   // perhaps beside them, as credentials and identities are, or nobody can tell from a part of a tree
  Missing,
};
Standing standing_of(const Reference& reference, const Cluster& cluster);

// Names of all that it could have meant: objects of that kind.
std::vector<std::string_view> candidates_for(const Reference& reference, const Cluster& cluster);

// Whether a map has the form of a reference: a kind and a name, and no more than belongs to one.
bool is_reference(const Node& node);

}  // namespace capwright::lint
