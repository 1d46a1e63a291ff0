// References between objects in Cluster API and its providers, and the objects that they resolve to.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"

namespace capwright::lint {

// One reference: its target, and the places of its parts.
struct Reference {
  const Object* from = nullptr;
  Node place;              // the map `{apiGroup, kind, name}`, or the scalar that is the name
  Node name_node;          // the place of the name
  std::string_view group;  // empty: the core group
  std::string_view kind, name;
  std::string_view space;  // the target's namespace; empty: any
};

// All references of an object to others that a tree may contain, in the order of the object: those of the form
// `{apiGroup | apiVersion, kind, name}` at any place, and those whose field determines the kind, such as `identityRef`
// or the `secret` in a file's `contentFrom`.
const std::vector<Reference>& references_of(const Object& object);

// The target, or an object that creates it, such as an ExternalSecret for a Secret. Null when the tree has none.
const Object* resolve(const Reference& reference, const Cluster& cluster);

// Where the target of a reference exists.
enum class Standing : std::uint8_t {
  Present,   // among the manifests, or created by one of them
  External,  // outside of them, as `lint.externals` declares
  Assumed,   // perhaps outside of them: credentials and identities, or the run has only a part of a tree
  Missing,
};
Standing standing_of(const Reference& reference, const Cluster& cluster);

// The names of all possible targets: objects of that kind.
std::vector<std::string_view> candidates_for(const Reference& reference, const Cluster& cluster);

// Whether a map has the form of a reference: a kind, a name, and only other fields of a reference.
bool is_reference(const Node& node);

}  // namespace capwright::lint
