// The compiled form of a schema: one node per subschema, its keywords grouped by the type of value that they apply to.
// compile.cc builds it; afterwards it is immutable, and evaluate.cc and fill.cc read it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "schema/format.h"
#include "text/regex.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright::schema {

// Sets of JSON types; `number` is both kInteger and kFraction.
using TypeSet = std::uint8_t;
inline constexpr TypeSet kNull = 1, kBoolean = 2, kInteger = 4, kFraction = 8, kString = 16, kArray = 32, kObject = 64;
inline constexpr TypeSet kNumber = kInteger | kFraction, kAnyType = 127;

inline constexpr std::uint32_t kUnlimited = 0xffffffff;

struct Node;
struct Resource;
using Nodes = std::span<const Node* const>;

struct StringRules {
  std::uint32_t min_length = 0;  // code points
  std::uint32_t max_length = kUnlimited;
  const Regex* pattern = nullptr;
  std::string_view pattern_text;
  Format format = Format::None;
};

// Null: no bound.
struct NumberRules {
  Value minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of;
};

struct ArrayRules {
  Nodes prefix;
  const Node* items = nullptr;  // after the prefix
  const Node* contains = nullptr;
  std::uint32_t min_contains = 1;
  std::uint32_t max_contains = kUnlimited;
  std::uint32_t min_items = 0;
  std::uint32_t max_items = kUnlimited;
  bool unique = false;
  std::string_view unique_key;     // x-unique; empty: none
  bool contains_evaluates = true;  // draft 7 has no evaluated items
};

// A name that `properties` or `required` mentions.
struct Property {
  Value name;                  // the key as the schema writes it
  const Node* node = nullptr;  // null: only required
  bool required = false;
};

// Open addressing by the hash that keys of values already have.
struct PropertyTable {
  std::span<const Property> properties;  // in the order of the schema
  std::span<const std::uint32_t> slots;  // property number + 1; a power of two of them
  std::uint32_t required = 0;            // the number of required ones

  const Property* find(std::string_view name, std::uint32_t hash) const {
    if (slots.empty()) return nullptr;
    const std::uint32_t mask = static_cast<std::uint32_t>(slots.size()) - 1;
    for (std::uint32_t slot = hash & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      const Property& property = properties[slots[slot] - 1];
      if (property.name.text_rep()->hash == hash && property.name.text() == name) return &property;
    }
    return nullptr;
  }
};

struct PatternProperty {
  const Regex* pattern;
  const Node* node;
};

// Requirements of a key that is present: other keys, and a schema for the whole object.
struct Dependent {
  std::string_view name;
  std::span<const Value> required;
  const Node* node = nullptr;
};

struct ObjectRules {
  PropertyTable table;
  std::span<const PatternProperty> patterns;
  const Node* additional = nullptr;
  const Node* names = nullptr;
  std::span<const Dependent> dependents;
  std::uint32_t min_properties = 0;
  std::uint32_t max_properties = kUnlimited;
};

// `$dynamicRef`: the outermost resource in scope that has the anchor wins; `fallback` if `anchor` is empty or unknown.
struct DynamicReference {
  const Node* fallback = nullptr;
  std::string_view anchor;
};

// Schemas that apply to the same value.
struct Combination {
  const Node* reference = nullptr;
  const DynamicReference* dynamic = nullptr;
  Nodes all_of, any_of, one_of;
  const Node* negated = nullptr;
  const Node* condition = nullptr;
  const Node* consequence = nullptr;  // then
  const Node* alternative = nullptr;  // else
};

// Annotations describe a value and don't constrain it.
struct Annotations {
  std::string_view title, description, expected, normalized_to;
  std::span<const Value> normalized_from;
  std::span<const Value> examples;
  const Value* default_value = nullptr;
  const Value* also_called = nullptr;  // at the root: paths of keys, each with the paths that users write for it
  bool deprecated = false;
};

struct Node {
  enum class Form : std::uint8_t { Accepts, Refuses, Rules };  // true, false, an object
  Form form = Form::Rules;
  TypeSet types = kAnyType;
  bool has_candidates = false;  // has `enum` or `const`
  bool secret = false;
  bool fills_defaults = false;  // there is a default here or below
  bool marks_secrets = false;   // x-secret is here or below
  bool is_constant = false;     // `candidates` is a `const`
  std::span<const Value> candidates;
  const StringRules* strings = nullptr;
  const NumberRules* numbers = nullptr;
  const ArrayRules* arrays = nullptr;
  const ObjectRules* objects = nullptr;
  const Combination* combination = nullptr;
  const Node* unevaluated_items = nullptr;
  const Node* unevaluated_properties = nullptr;
  const Annotations* notes = nullptr;
  const Resource* resource = nullptr;
  Value source;              // the schema's text
  std::uint32_t number = 0;  // in Schema::nodes
};

// A document, or an embedded part with an `$id`.
struct Resource {
  std::string uri;
  std::map<std::string, const Node*, std::less<>> dynamic_anchors;
};

class Schema {
 public:
  const Node* root = nullptr;
  const OriginTable* origins = nullptr;  // of the documents
  std::deque<Node> nodes;
  std::deque<Resource> resources;
  std::deque<Regex> patterns;
  Arena arena;
};

using NodeList = std::vector<const Node*>;
inline bool any_has(const NodeList& nodes, bool Node::*flag) {
  return std::any_of(nodes.begin(), nodes.end(), [&](const Node* node) { return node->*flag; });
}

}  // namespace capwright::schema
