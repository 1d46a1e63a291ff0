// Facts about fields that schemas don't contain: the keys of list items, the fields that controllers own, and the texts
// in Secrets that may be parsed. From schemas/catalogue/diff.yaml.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "crd/program.h"
#include "diff/change_path.h"
#include "value/value.h"

namespace capwright::diff {

// How to match the items of two lists.
struct ListRule {
  enum class Kind : std::uint8_t { Ordered, Set, Keyed };
  Kind kind = Kind::Ordered;
  std::vector<std::string_view> keys;  // for Keyed
  bool order_counts = true;            // another order is a change; not so for a schema's sets and maps
};

// The rule for two lists at the field `name`; `schema` is the list's, null if unknown. Keys are only used if they
// identify all items of both lists.
ListRule list_rule(std::string_view name, const crd::Node* schema, const Value& before, const Value& after);

// `name=x`: the values of an item's keys, including defaults of the schema. Empty if all of them are missing, or if one
// isn't a scalar.
std::string selector_of(const Value& item, std::span<const std::string_view> keys, const crd::Node* schema);

struct Profile {
  std::string_view name;     // "argocd"
  std::string_view summary;  // one line
  std::vector<PathPattern> patterns;
};
// All profiles, by name.
const std::vector<Profile>& profiles();

// Whether the text at this key of a Secret contains public keys, too: `clouds.yaml`.
bool is_open_inside(std::string_view key);

}  // namespace capwright::diff
