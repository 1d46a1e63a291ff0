// Kinds that no release has which is known: the server's answer to them is not.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "lint/cluster.h"

namespace capwright::lint {

// Whether no release that is targeted has the object's kind, in whatever version.
bool is_unknown_kind(const Object& object);

// What was most likely meant: `kind` as another text, or `apiVersion`. Neither: nothing comes near.
struct MeantKind {
  std::string_view kind;
  std::string api_version;
  bool exists() const { return !kind.empty() || !api_version.empty(); }
};
// Of an object of an unknown kind.
MeantKind meant_kind(const Object& object);

// Of a kind that a reference names, and that no release that is targeted has in this group; empty: nothing comes near.
std::string_view meant_kind(std::string_view group, std::string_view kind, const Cluster& cluster);

// The objects that nothing can be said of: their kinds are unknown, and nearly none that is known.
std::size_t count_unknown_kinds(const Cluster& cluster);

}  // namespace capwright::lint
