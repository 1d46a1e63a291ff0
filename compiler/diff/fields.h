// What no schema says of fields: which keys tell the items of lists apart, which fields controllers own, and which
// texts in Secrets may be looked into. From schemas/catalogue/diff.yaml.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crd/program.h"
#include "diff/path.h"
#include "value/value.h"

namespace capwright::diff {

// How the items of two lists are matched.
struct ListRule {
  enum class Kind : std::uint8_t { Ordered, Set, Keyed };
  Kind kind = Kind::Ordered;
  std::vector<std::string_view> keys;  // of Keyed
  bool order_counts = true;            // two orders are a change; a schema's sets and maps have none
};

// For two lists at the field `name`; `schema` is the list's, null when none is known. Keys count only when they tell
// all items of both lists apart.
ListRule list_rule(std::string_view name, const crd::Node* schema, const Value& before, const Value& after);

// `name=x`: what the keys of an item hold, defaults of the schema included. Empty when it lacks all of them, or holds
// something else than scalars.
std::string selector_of(const Value& item, std::span<const std::string_view> keys, const crd::Node* schema);

struct Profile {
  std::string_view name;     // "argocd"
  std::string_view summary;  // one line
  std::vector<PathPattern> patterns;
};
// All of them, by name.
const std::vector<Profile>& profiles();

// Whether the text at this key of a Secret has keys that are no secrets: `clouds.yaml`.
bool is_open_inside(std::string_view key);

}  // namespace capwright::diff
