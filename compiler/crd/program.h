// The compiled form of a kind's schema: one node per subschema, shared where the digest shares. compile.cc builds it;
// afterwards it is immutable except for parts that are compiled at first use (patterns, rules), under a lock.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cel/program.h"
#include "crd/server_finding.h"
#include "crd/string_format.h"
#include "text/regex.h"
#include "value/value.h"

namespace capwright::crd {

inline constexpr std::uint32_t kUnlimited = 0xffffffff;

enum class Type : std::uint8_t { Any, Object, Array, String, Integer, Number, Boolean };
enum class ListType : std::uint8_t { Atomic, Set, Map };

// The name in schemas and in the server's messages: "object", "integer"; empty for Any.
std::string_view type_name(Type);

struct Node;

// A regular expression that is compiled at its first use.
class Pattern {
 public:
  explicit Pattern(std::string_view text) : text_(text) {}
  std::string_view text() const { return text_; }
  // A pattern that doesn't compile matches nothing, as on the server.
  bool matches(std::string_view text) const;

 private:
  std::string text_;
  mutable std::once_flag once_;
  mutable std::optional<Regex> regex_;
};

// The patterns of all schemas of a Registry, without duplicates.
class PatternSet {
 public:
  const Pattern* find(std::string_view text);

 private:
  std::mutex mutex_;
  std::deque<Pattern> patterns_;
  std::unordered_map<std::string_view, const Pattern*> by_text_;
};

struct Property {
  Value name;                  // with its hash
  const Node* node = nullptr;  // null: only required
  bool required = false;
};

// Open addressing by the hash that keys of values already have.
struct PropertyTable {
  std::span<const Property> properties;  // in the order of the schema
  std::span<const std::uint32_t> slots;  // property number + 1; a power of two of them
  std::uint32_t required = 0;            // the number of required ones
  std::uint32_t defaults = 0;            // the number with a default

  const Property* find(const Value& key) const {
    if (slots.empty()) return nullptr;
    const Text& text = *key.text_rep();
    const std::uint32_t mask = static_cast<std::uint32_t>(slots.size()) - 1;
    for (std::uint32_t slot = text.hash & mask; slots[slot] != 0; slot = (slot + 1) & mask) {
      const Property& property = properties[slots[slot] - 1];
      if (property.name.text_rep()->hash == text.hash && property.name.text() == text.view()) return &property;
    }
    return nullptr;
  }
};

struct StringRules {
  std::uint32_t min_length = 0;  // code points
  std::uint32_t max_length = kUnlimited;
  const Pattern* pattern = nullptr;
};

// Null: no bound.
struct NumberRules {
  Value minimum, maximum, multiple_of;
  bool exclusive_minimum = false, exclusive_maximum = false;
};

// Limits of lists and maps.
struct SizeRules {
  std::uint32_t min = 0;
  std::uint32_t max = kUnlimited;
  bool unique = false;
};

// Schemas that apply to the same value.
struct Combination {
  std::span<const Node*const> all_of, any_of, one_of;
  const Node* negated = nullptr;
};

// One of `x-kubernetes-validations`.
struct Rule {
  std::string_view text, message, message_expression, field_path;
  Reason reason = Reason::Invalid;
  bool optional_old_self = false;
};

// A compiled rule.
struct CompiledRule {
  const Rule* rule;
  std::shared_ptr<const cel::Program> program;  // null: it doesn't compile, and is skipped
  std::shared_ptr<const cel::Program> message;  // of messageExpression; may be null
  bool transition = false;                      // needs the old value
};

// The rules of a node; compiled when the first value of the node is checked.
class RuleSet {
 public:
  RuleSet(Value schema, cel::SchemaRole role, std::vector<Rule> rules)
      : schema_(schema), role_(role), rules_(std::move(rules)) {}
  const std::vector<CompiledRule>& compiled() const;
  const std::vector<Rule>& rules() const { return rules_; }
  // The errors in the expressions, for authors of schemas.
  std::vector<std::string> faults() const;

 private:
  void compile() const;

  Value schema_;  // as JSON, without references
  cel::SchemaRole role_;
  std::vector<Rule> rules_;
  mutable std::once_flag once_;
  mutable Arena arena_;
  mutable std::vector<CompiledRule> compiled_;
};

struct Node {
  Type type = Type::Any;
  Format format = Format::None;
  ListType list_type = ListType::Atomic;
  bool nullable = false;
  bool int_or_string = false;
  bool preserves_unknown = false;
  bool atomic_map = false;   // `x-kubernetes-map-type`: changes as a whole
  bool embedded = false;     // a whole object: with apiVersion, kind and metadata
  bool has_default = false;  // `default_value` is set
  // Whether this node or a node below has such checks, so that walkers can skip it.
  bool checks_lists = false;
  bool checks_rules = false;
  bool has_embedded = false;
  std::uint16_t height = 1;         // levels of schemas
  std::uint32_t expanded_size = 1;  // number of schemas, with shared ones counted each time; saturates
  Value default_value;
  std::span<const Value> candidates;  // `enum`
  const StringRules* strings = nullptr;
  const NumberRules* numbers = nullptr;
  const SizeRules* items_size = nullptr;
  const SizeRules* properties_size = nullptr;
  const Combination* combination = nullptr;
  const Node* items = nullptr;
  const Node* additional = nullptr;
  PropertyTable table;
  std::span<const std::string_view> list_map_keys;
  const RuleSet* rules = nullptr;
};

struct Schema {
  std::string_view group, version, kind;
  bool has_status = false;              // has a status subresource: writing the object drops its status
  bool native = false;                  // one of the server's own kinds: decoded into its Go types
  std::string_view spec_replicas_path;  // `.spec.replicas`; empty: no scale subresource
  std::string_view status_replicas_path;
  const Node* root = nullptr;
  std::deque<RuleSet> rule_sets;
  Arena arena;
};

}  // namespace capwright::crd
