// One node per subschema. Keywords are matched by the hash that keys carry, for speed: a cluster needs a dozen schemas
// of some thousand keywords each before its first object can be checked.
#include <algorithm>
#include <bit>
#include <unordered_map>

#include "crd/digest.h"
#include "yaml/read.h"
namespace capwright::crd {
namespace {

// Deeper schemas are rejected, because walkers and the CEL compiler recurse along them.
constexpr std::uint32_t kDeepest = 200;
// The size, with shared parts expanded, above which a schema gets no rules: CEL types aren't shared.
constexpr std::uint32_t kLargestWithRules = 200'000;

std::string_view text_of(const Value& value) { return value.is(Kind::String) ? value.text() : std::string_view(); }
bool is_true(const Value& value) { return value.is(Kind::Bool) && value.as_bool(); }
bool is_true(const Value* value) { return value != nullptr && is_true(*value); }

std::uint32_t count_of(const Value& value) {
  if (!value.is(Kind::Int) || value.as_int() < 0) return 0;
  return static_cast<std::uint32_t>(std::min<std::int64_t>(value.as_int(), kUnlimited));
}

Type type_by_name(std::string_view name) {
  for (const Type type : {Type::Object, Type::Array, Type::String, Type::Integer, Type::Number, Type::Boolean}) {
    if (type_name(type) == name) return type;
  }
  return Type::Any;
}

Reason reason_by_name(std::string_view name) {
  if (name == "FieldValueForbidden") return Reason::Forbidden;
  if (name == "FieldValueRequired") return Reason::Required;
  if (name == "FieldValueDuplicate") return Reason::Duplicate;
  return Reason::Invalid;
}

// `anyOf: [{type: integer}, {type: string}]`, which is equivalent to int-or-string.
bool is_int_or_string(const Value& any_of) {
  return any_of.is(Kind::List) && any_of.items().size() == 2 && any_of.items()[0].text_at("type") == "integer" &&
         any_of.items()[1].text_at("type") == "string";
}

// Removes origins: defaults become part of objects whose origin table doesn't contain the digest.
Value without_places(const Value& value, Arena& arena) {
  if (value.is(Kind::List)) {
    std::vector<Value> items;
    for (const Value& item : value.items()) items.push_back(without_places(item, arena));
    return make_list(arena, items);
  }
  if (!value.is(Kind::Map)) return value.with_origin(OriginId::None);
  std::vector<Entry> entries;
  for (const Entry& entry : value.entries())
    entries.push_back({entry.key.with_origin(OriginId::None), without_places(entry.value, arena)});
  return make_map(arena, entries);
}

class Compiler {
 public:
  Compiler(Schema& schema, PatternSet& patterns) : schema_(schema), arena_(schema.arena), patterns_(patterns) {}

  bool run(const Value& digest) {
    if (const Value* definitions = digest.find("definitions"); definitions != nullptr && definitions->is(Kind::Map)) {
      for (const Entry& entry : definitions->entries()) {
        const Node* compiled = node(entry.value, cel::SchemaRole::Plain);
        definitions_[entry.key.text()] = {compiled, entry.value};
      }
    }
    const Value* root = digest.find("schema");
    if (root == nullptr) return fail("it has no `schema`");
    schema_.root = node(*root, cel::SchemaRole::ResourceRoot);
    return fault_.empty();
  }
  const std::string& fault() const { return fault_; }

 private:
  struct Definition {
    const Node* node = nullptr;
    Value json;
    bool is_expanded = false;  // `json` has no references
  };
  // Collects a node's parts while its keywords are read.
  struct Parts {
    StringRules strings;
    NumberRules numbers;
    SizeRules items, properties;
    Combination combination;
    std::vector<Property> members;
    const Value* required = nullptr;
    const Value* any_of = nullptr;
    const Value* rules = nullptr;
    bool has_strings = false, has_numbers = false, has_items = false, has_properties = false, has_combination = false;
  };

  bool fail(std::string why) {
    if (fault_.empty()) fault_ = std::move(why);
    return false;
  }

  const Node* node(const Value& json, cel::SchemaRole role) {
    if (!json.is(Kind::Map)) return arena_.make<Node>();
    if (const Value* reference = json.find("$ref")) {
      const auto found = definitions_.find(text_of(*reference));
      if (found != definitions_.end()) return found->second.node;
      fail("`$ref` names a definition that isn't above it");
      return arena_.make<Node>();
    }
    Node* made = arena_.make<Node>();
    Parts parts;
    for (const Entry& entry : json.entries()) keyword(entry, *made, parts);
    finish(json, role, *made, parts);
    return made;
  }

  const Node* anything() {
    Node* node = arena_.make<Node>();
    node->preserves_unknown = true;
    return node;
  }

  const Node* child(const Value& json, Node& parent) {
    if (json.is(Kind::Bool)) return json.as_bool() ? anything() : nullptr;
    const Node* below = node(json, cel::SchemaRole::Plain);
    parent.height = std::max<std::uint16_t>(parent.height, static_cast<std::uint16_t>(below->height + 1));
    if (parent.height > kDeepest) fail("schemas are nested too deep");
    parent.expanded_size += std::min(below->expanded_size, kUnlimited - parent.expanded_size);
    parent.checks_lists |= below->checks_lists;
    parent.checks_rules |= below->checks_rules;
    parent.has_embedded |= below->has_embedded;
    return below;
  }

  std::span<const Node* const> children(const Value& list, Node& parent) {
    std::vector<const Node*> nodes;
    if (list.is(Kind::List)) {
      for (const Value& json : list.items()) nodes.push_back(child(json, parent));
    }
    return arena_.copy(nodes);
  }

  void keyword(const Entry& entry, Node& node, Parts& parts) {
    const Value& value = entry.value;
    switch (entry.key.text_rep()->hash) {
      case hash_text("type"): node.type = type_by_name(text_of(value)); break;
      case hash_text("format"): node.format = format_by_name(text_of(value)); break;
      case hash_text("nullable"): node.nullable = is_true(value); break;
      case hash_text("x-kubernetes-int-or-string"): node.int_or_string = is_true(value); break;
      case hash_text("x-kubernetes-preserve-unknown-fields"): node.preserves_unknown = is_true(value); break;
      case hash_text("x-kubernetes-embedded-resource"): node.embedded = node.has_embedded = is_true(value); break;
      case hash_text("x-kubernetes-list-type"): list_type(text_of(value), node); break;
      case hash_text("x-kubernetes-map-type"): node.atomic_map = text_of(value) == "atomic"; break;
      case hash_text("x-kubernetes-list-map-keys"): node.list_map_keys = names(value); break;
      case hash_text("x-kubernetes-validations"): parts.rules = &value; break;
      case hash_text("enum"): node.candidates = value.is(Kind::List) ? value.items() : node.candidates; break;
      case hash_text("default"):
        node.has_default = true;
        node.default_value = without_places(value, arena_);
        break;
      case hash_text("items"): node.items = child(value, node); break;
      case hash_text("additionalProperties"): node.additional = child(value, node); break;
      case hash_text("properties"): members(value, node, parts); break;
      case hash_text("required"): parts.required = &value; break;
      case hash_text("anyOf"): parts.any_of = &value; break;
      default: limit(entry, node, parts);
    }
  }

  void limit(const Entry& entry, Node& node, Parts& parts) {
    const Value& value = entry.value;
    switch (entry.key.text_rep()->hash) {
      case hash_text("pattern"):
        parts.has_strings = true, parts.strings.pattern = patterns_.find(text_of(value));
        break;
      case hash_text("minLength"): parts.has_strings = true, parts.strings.min_length = count_of(value); break;
      case hash_text("maxLength"): parts.has_strings = true, parts.strings.max_length = count_of(value); break;
      case hash_text("minimum"): parts.has_numbers = true, parts.numbers.minimum = value; break;
      case hash_text("maximum"): parts.has_numbers = true, parts.numbers.maximum = value; break;
      case hash_text("multipleOf"): parts.has_numbers = true, parts.numbers.multiple_of = value; break;
      case hash_text("exclusiveMinimum"): parts.numbers.exclusive_minimum = is_true(value); break;
      case hash_text("exclusiveMaximum"): parts.numbers.exclusive_maximum = is_true(value); break;
      case hash_text("minItems"): parts.has_items = true, parts.items.min = count_of(value); break;
      case hash_text("maxItems"): parts.has_items = true, parts.items.max = count_of(value); break;
      case hash_text("uniqueItems"): parts.has_items = true, parts.items.unique = is_true(value); break;
      case hash_text("minProperties"): parts.has_properties = true, parts.properties.min = count_of(value); break;
      case hash_text("maxProperties"): parts.has_properties = true, parts.properties.max = count_of(value); break;
      default: combination(entry, node, parts);
    }
  }

  void combination(const Entry& entry, Node& node, Parts& parts) {
    const std::uint32_t hash = entry.key.text_rep()->hash;
    if (hash == hash_text("allOf")) parts.combination.all_of = children(entry.value, node);
    else if (hash == hash_text("oneOf")) parts.combination.one_of = children(entry.value, node);
    else if (hash == hash_text("not")) parts.combination.negated = child(entry.value, node);
    else return;
    parts.has_combination = true;
  }

  void list_type(std::string_view name, Node& node) {
    if (name == "set") node.list_type = ListType::Set;
    else if (name == "map") node.list_type = ListType::Map;
    else node.list_type = ListType::Atomic;
    node.checks_lists |= node.list_type != ListType::Atomic;
  }

  std::span<const std::string_view> names(const Value& list) {
    std::vector<std::string_view> all;
    if (list.is(Kind::List)) {
      for (const Value& name : list.items()) all.push_back(text_of(name));
    }
    return arena_.copy(all);
  }

  void members(const Value& properties, Node& node, Parts& parts) {
    if (!properties.is(Kind::Map)) return;
    parts.members.reserve(properties.entries().size());
    for (const Entry& entry : properties.entries()) {
      const Value name = Value::string(entry.key.text_rep());
      const Node* below = child(entry.value, node);
      parts.members.push_back({name, below, false});
      if (below != nullptr && below->has_default) ++node.table.defaults;
    }
  }

  void finish(const Value& json, cel::SchemaRole role, Node& node, Parts& parts) {
    if (parts.any_of != nullptr && !(node.int_or_string && is_int_or_string(*parts.any_of))) {
      parts.combination.any_of = children(*parts.any_of, node);
      parts.has_combination = true;
    }
    if (parts.required != nullptr && parts.required->is(Kind::List)) require(*parts.required, node, parts.members);
    if (!parts.members.empty()) fill_table(node.table, parts.members);
    if (parts.has_strings) node.strings = arena_.make<StringRules>(parts.strings);
    if (parts.has_numbers) node.numbers = arena_.make<NumberRules>(parts.numbers);
    if (parts.has_items) node.items_size = arena_.make<SizeRules>(parts.items);
    if (parts.has_properties) node.properties_size = arena_.make<SizeRules>(parts.properties);
    if (parts.has_combination) node.combination = arena_.make<Combination>(parts.combination);
    if (parts.rules != nullptr && parts.rules->is(Kind::List)) add_rules(json, role, node, *parts.rules);
  }

  void require(const Value& required, Node& node, std::vector<Property>& members) {
    for (const Value& name : required.items()) {
      const auto known = std::find_if(members.begin(), members.end(),
                                      [&](const Property& p) { return p.name.text() == text_of(name); });
      if (known != members.end()) known->required = true;
      else members.push_back({make_key(arena_, text_of(name)), nullptr, true});
      ++node.table.required;
    }
  }

  void fill_table(PropertyTable& table, const std::vector<Property>& members) {
    table.properties = arena_.copy(members);
    const std::uint32_t size = std::bit_ceil(2 * static_cast<std::uint32_t>(members.size()));
    std::uint32_t* slots = arena_.make_array<std::uint32_t>(size);
    std::fill_n(slots, size, 0u);
    for (std::uint32_t i = 0; i < members.size(); ++i) {
      std::uint32_t slot = members[i].name.text_rep()->hash & (size - 1);
      while (slots[slot] != 0) slot = (slot + 1) & (size - 1);
      slots[slot] = i + 1;
    }
    table.slots = {slots, size};
  }

  void add_rules(const Value& json, cel::SchemaRole role, Node& node, const Value& list) {
    if (node.expanded_size > kLargestWithRules) {
      fail("a schema with rules is too large");
      return;
    }
    std::vector<Rule> rules;
    for (const Value& value : list.items()) {
      rules.push_back({value.text_at("rule"), value.text_at("message"), value.text_at("messageExpression"),
                       value.text_at("fieldPath"), reason_by_name(value.text_at("reason")),
                       is_true(value.find("optionalOldSelf"))});
    }
    node.rules = &schema_.rule_sets.emplace_back(expanded(json), role, std::move(rules));
    node.checks_rules = true;
  }

  // A schema with its references replaced by the definitions.
  Value expanded(const Value& json) {
    if (json.is(Kind::List)) {
      std::vector<Value> items;
      for (const Value& item : json.items()) items.push_back(expanded(item));
      return make_list(arena_, items);
    }
    if (!json.is(Kind::Map)) return json;
    if (const Value* reference = json.find("$ref")) {
      const auto found = definitions_.find(text_of(*reference));
      if (found == definitions_.end()) return json;
      Definition& definition = found->second;
      if (!definition.is_expanded) definition.json = expanded(definition.json);
      definition.is_expanded = true;
      return definition.json;
    }
    std::vector<Entry> entries;
    for (const Entry& entry : json.entries()) entries.push_back({entry.key, expanded(entry.value)});
    return make_map(arena_, entries);
  }

  Schema& schema_;
  Arena& arena_;
  PatternSet& patterns_;
  std::unordered_map<std::string_view, Definition> definitions_;
  std::string fault_;
};

}  // namespace

std::vector<std::string> digest_faults(const std::string& text) {
  OwnStage own;
  const Value digest = read_yaml(own.sources.add("digest.json", text), own.stage, {.syntax = TextSyntax::Json});
  PatternSet patterns;
  std::string fault;
  const std::unique_ptr<const Schema> schema = digest.is_error() ? nullptr : compile_digest(digest, patterns, fault);
  if (schema == nullptr) return {fault.empty() ? "it isn't JSON" : fault};
  std::vector<std::string> faults;
  for (const RuleSet& rules : schema->rule_sets) {
    for (std::string& one : rules.faults()) faults.push_back(std::move(one));
  }
  return faults;
}

std::unique_ptr<Schema> compile_digest(const Value& digest, PatternSet& patterns, std::string& fault) {
  if (!digest.is(Kind::Map)) {
    fault = "it isn't a map";
    return nullptr;
  }
  auto schema = std::make_unique<Schema>();
  schema->group = digest.text_at("group");
  schema->version = digest.text_at("version");
  schema->kind = digest.text_at("kind");
  schema->has_status = is_true(digest.find("status"));
  schema->native = is_true(digest.find("native"));
  schema->spec_replicas_path = digest.text_at("specReplicasPath");
  schema->status_replicas_path = digest.text_at("statusReplicasPath");
  Compiler compiler(*schema, patterns);
  if (compiler.run(digest)) return schema;
  fault = compiler.fault();
  return nullptr;
}

}  // namespace capwright::crd
