// Fills one node from the keywords of one subschema: one member function per keyword, named in keywords.def.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "schema/documents.h"
#include "schema/program.h"
#include "schema/schema.h"
#include "value/stage.h"

namespace capwright::schema {

// The builder's interface to the compiler of the whole program.
class NodeSource {
 public:
  // The node of a subschema in `part` (or of the root of an embedded part).
  virtual const Node* node_of(const Value& schema, DocumentPart& part) = 0;
  // The place of a keyword's value.
  virtual Span place(const Value&) const = 0;
  virtual const Regex* pattern(const Value& text) = 0;
  virtual Documents& documents() = 0;

 protected:
  ~NodeSource() = default;
};

// A keyword as written: its name, for messages, and its value.
class KeywordValue {
 public:
  KeywordValue(const Entry& entry) : name(entry.key.text()), key(entry.key), value(entry.value) {}
  std::string_view name;
  const Value& key;
  const Value& value;
};

class NodeBuilder {
 public:
  struct Context {
    Schema& program;
    NodeSource& source;
    Stage& stage;
    const CompileOptions& options;
  };
  NodeBuilder(const Context& context, Node& node, const Value& schema, DocumentPart& part)
      : context_(context), node_(node), schema_(schema), part_(part) {}

  void build();

  // One function for each entry of keywords.def.
  void ignore(const KeywordValue&) {}
  void reference(const KeywordValue&);
  void dynamic_reference(const KeywordValue&);
  void all_of(const KeywordValue&);
  void any_of(const KeywordValue&);
  void one_of(const KeywordValue&);
  void negated(const KeywordValue&);
  void condition(const KeywordValue&);
  void properties(const KeywordValue&);
  void required(const KeywordValue&);
  void pattern_properties(const KeywordValue&);
  void additional_properties(const KeywordValue&);
  void property_names(const KeywordValue&);
  void dependent_required(const KeywordValue&);
  void dependent_schemas(const KeywordValue&);
  void dependencies(const KeywordValue&);
  void prefix_items(const KeywordValue&);
  void items(const KeywordValue&);
  void contains(const KeywordValue&);
  void unique_items(const KeywordValue&);
  void unique_key(const KeywordValue&);
  void unevaluated_items(const KeywordValue&);
  void unevaluated_properties(const KeywordValue&);
  void type(const KeywordValue&);
  void candidates(const KeywordValue&);
  void constant(const KeywordValue&);
  void pattern(const KeywordValue&);
  void format(const KeywordValue&);
  void multiple_of(const KeywordValue&);
  void title(const KeywordValue&);
  void description(const KeywordValue&);
  void default_value(const KeywordValue&);
  void examples(const KeywordValue&);
  void deprecated(const KeywordValue&);
  void expected(const KeywordValue&);
  void secret(const KeywordValue&);
  void also_called(const KeywordValue&);
  void normalized_to(const KeywordValue&);
  void normalized_from(const KeywordValue&);
  template <Value NumberRules::*member>
  void bound(const KeywordValue& keyword) {
    if (is_number(keyword)) numbers().*member = keyword.value;
  }
  template <auto member>
  void count(const KeywordValue& keyword) {
    if (const std::optional<std::uint32_t> number = whole_number(keyword)) store(member, *number);
  }

 private:
  // The rules for a type of value, created when the first keyword needs them.
  template <class Rules>
  Rules& rules() {
    Rules*& made = std::get<Rules*>(rules_);
    if (made == nullptr) made = context_.program.arena.make<Rules>();
    return *made;
  }
  template <class Rules>
  void store(std::uint32_t Rules::*member, std::uint32_t number) {
    rules<Rules>().*member = number;
  }
  NumberRules& numbers() { return rules<NumberRules>(); }
  Combination& combination() { return rules<Combination>(); }
  Annotations& notes() { return rules<Annotations>(); }

  void malformed(const KeywordValue&, std::string_view expected, std::string advice = {});
  bool is_map(const KeywordValue&);
  bool is_list(const KeywordValue&);
  bool is_number(const KeywordValue&);
  bool is_true(const KeywordValue&);
  std::string_view text(const KeywordValue&);
  std::optional<std::uint32_t> whole_number(const KeywordValue&);
  bool is_list_of_names(const KeywordValue&, const Value&);

  const Node* node_of(const Value& schema) { return context_.source.node_of(schema, part_); }
  Nodes nodes_of(const KeywordValue&);
  const Node* referred(const KeywordValue&, std::string* dynamic_anchor);
  void add_dependents(const KeywordValue&, bool schemas, bool names);
  Property& property(const Value& name);
  void finish();
  PropertyTable property_table();
  void warn_of_misspelt(const Entry& keyword);
  void check_required(const Value& name);
  TypeSet type_by_name(const KeywordValue&, const Value& name);

  const Context& context_;
  Node& node_;
  const Value& schema_;
  DocumentPart& part_;
  std::tuple<StringRules*, NumberRules*, ArrayRules*, ObjectRules*, Combination*, Annotations*> rules_;
  std::vector<Property> properties_;
  std::map<std::string_view, std::size_t> property_numbers_;
  std::vector<Dependent> dependents_;
};

}  // namespace capwright::schema
