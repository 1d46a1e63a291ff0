// What identifies an object of the Kubernetes API.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "value/value.h"

namespace capwright::patch {

struct ObjectId {
  std::string_view api_version, kind, name, space;  // views into the document; `space`: the namespace, may be empty

  std::string_view group() const;
  std::string_view version() const;
  // kustomize's rule: an object without a namespace is in `default`.
  std::string_view effective_space() const { return space.empty() ? "default" : space; }
  // "MachineDeployment `prod-workers`".
  std::string shown() const;

  friend bool operator==(const ObjectId&, const ObjectId&) = default;
};

// Empty if the document isn't an object: a map with `apiVersion` and `kind`.
std::optional<ObjectId> id_of(const Value& document);

// The result of a merge with the identity of `original`, which patches can't change.
Value with_identity_of(const Value& original, const Value& result, Arena& arena);

}  // namespace capwright::patch
