// Kinds that no known release has, so that the server's answer to them is unknown.
#pragma once
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "lint/model/cluster.h"

namespace capwright::lint {

// Whether no targeted release has the object's kind, in any version.
bool is_unknown_kind(const Object& object);

// The probable intention: another `kind` or another `apiVersion`. Both empty: nothing is similar.
struct MeantKind {
  std::string_view kind;
  std::string api_version;
  bool exists() const { return !kind.empty() || !api_version.empty(); }
};
// For an object of an unknown kind.
MeantKind meant_kind(const Object& object);

// For a kind in a reference that no targeted release has in this group; empty: nothing is similar.
std::string_view meant_kind(std::string_view group, std::string_view kind, const Cluster& cluster);

// Objects that can't be checked: their kind is unknown, and not similar to a known one.
struct UnknownKinds {
  static constexpr std::size_t kMostNames = 3;  // a stream may have millions

  std::size_t objects = 0;
  bool has_more_names = false;
  std::set<std::string, std::less<>> names;  // the first of their kinds, as far as these are names of kinds

  void add(const UnknownKinds& other);
  void add_name(std::string_view name);
};
UnknownKinds unknown_kinds(const Cluster& cluster);

}  // namespace capwright::lint
