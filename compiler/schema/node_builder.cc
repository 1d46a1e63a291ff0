// Keywords that contain or reference subschemas, and annotations; keywords that check scalars are in
// node_builder_checks.cc.
#include "schema/node_builder.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <iterator>

#include "base/ascii.h"
#include "base/check.h"
#include "diag/catalog/values.h"
#include "diag/suggest.h"
#include "schema/uri.h"
#include "schema/words.h"

namespace capwright::schema {
namespace {

// An unknown keyword that marks a value as secret: `x-secret` misspelt, in another case, without `x-`, or the word that
// another tool has for it.
bool means_secret(const Entry& keyword) {
  const Value& value = keyword.value;
  const bool is_set = value.is(Kind::Bool) ? value.as_bool() : value.is(Kind::String) && value.text() == "true";
  if (!is_set) return false;
  std::string word = lowered(keyword.key.text());
  std::replace(word.begin(), word.end(), '_', '-');
  if (word.starts_with("x-")) word.erase(0, 2);
  constexpr std::string_view kWords[] = {"secret", "sensitive"};
  const bool is_word = std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
  const bool is_private = word == "private" && word.size() < keyword.key.text().size();
  return is_word || is_private || !nearest(word, kWords).empty();
}

// Whether the value of an unknown keyword holds schemas that mark secrets, or a reference to one that may.
bool may_mark_secrets(const Value& value) {
  if (value.is(Kind::List)) return std::any_of(value.items().begin(), value.items().end(), may_mark_secrets);
  if (!value.is(Kind::Map)) return false;
  const Value* reference = value.find("$ref");
  if (value.find("x-secret") != nullptr || (reference != nullptr && reference->is(Kind::String))) return true;
  return std::any_of(value.entries().begin(), value.entries().end(),
                     [](const Entry& entry) { return may_mark_secrets(entry.value); });
}

// The keyword that a word is for in another language, or that is too short for a spelling to be near.
std::string_view meant_by_slip(std::string_view name) {
  struct Slip {
    std::string_view written, meant;
  };
  constexpr Slip kSlips[] = {{"defs", "$defs"},  {"item", "items"},       {"max", "maximum"},
                             {"min", "minimum"}, {"prop", "properties"},  {"property", "properties"},
                             {"ref", "$ref"},    {"require", "required"}, {"types", "type"},
                             {"values", "enum"}};
  const auto slip =
      std::find_if(std::begin(kSlips), std::end(kSlips), [&](const Slip& each) { return each.written == name; });
  return slip == std::end(kSlips) ? std::string_view() : slip->meant;
}

// The keyword that an unknown one is meant to be; "" if none is near.
std::string_view meant_by(std::string_view name) {
  if (const std::string_view meant = meant_by_slip(name); !meant.empty()) return meant;
  if (name.size() < 5) return {};
  // A keyword of one's own starts with `x-`, so only those of ours that do are meant by it.
  std::vector<std::string_view> candidates = keyword_names();
  if (lowered(name).starts_with("x-"))
    std::erase_if(candidates, [](std::string_view known) { return !known.starts_with("x-"); });
  return nearest(name, candidates);
}

// Whether the keyword would apply subschemas, and `value` has some.
bool applies_schemas(std::string_view name, const Value& value) {
  const Keyword* keyword = find_keyword(name);
  const bool applies = keyword != nullptr && keyword->shape != Shape::Plain && keyword->vocabulary != Vocabulary::Core;
  return applies &&
         ((value.is(Kind::Map) && !value.entries().empty()) || (value.is(Kind::List) && !value.items().empty()));
}

}  // namespace

void NodeBuilder::build() {
  node_.source = schema_;
  if (schema_.is(Kind::Bool)) {
    node_.form = schema_.as_bool() ? Node::Form::Accepts : Node::Form::Refuses;
    return;
  }
  if (!schema_.is(Kind::Map)) {
    node_.form = Node::Form::Accepts;
    if (!schema_.is_error()) {
      context_.stage.sink.report(diag::malformed_keyword, context_.source.place(schema_), "a schema", a_kind(schema_),
                                 "a map of keywords, `true` or `false`");
    }
    return;
  }
  const Value* only = part_.dialect.draft7 ? schema_.find("$ref") : nullptr;  // in draft 7 it disables its siblings
  for (const Entry& entry : schema_.entries()) {
    const Keyword* keyword = find_keyword(entry.key.text());
    if (keyword == nullptr) warn_of_misspelt(entry);
    else if (keyword->is_in(part_.dialect) && (only == nullptr || keyword->name == "$ref"))
      (this->*keyword->fill)(entry);
  }
  finish();
}

// JSON Schema ignores unknown keywords, so a typo would disable a check.
void NodeBuilder::warn_of_misspelt(const Entry& keyword) {
  const std::string_view name = keyword.key.text();
  const Span place = context_.source.place(keyword.key);
  if (means_secret(keyword) && schema_.find("x-secret") == nullptr) {
    context_.stage.sink.report(diag::misspelt_secret, place, name).advise("did you mean `x-secret`?");
    node_.secret = true;  // the other messages of this run must not show the value
    return;
  }
  const std::string_view meant = meant_by(name);
  const std::string hint = meant.empty() ? "" : fmt::format("did you mean `{}`?", meant);
  const bool marks_secrets = !lowered(name).starts_with("x-") && may_mark_secrets(keyword.value);
  if (marks_secrets || applies_schemas(meant, keyword.value)) {
    context_.stage.sink.report(diag::unread_schema, place, name)
        .advise(hint.empty() ? "correct it, or begin it with `x-` if another program reads it" : hint);
    node_.secret |= marks_secrets;  // the other messages of this run must not show what it may mark
  } else if (!meant.empty()) {
    context_.stage.sink.report(diag::misspelt_keyword, place, name).advise(hint);
  }
}

void NodeBuilder::finish() {
  if (!properties_.empty()) rules<ObjectRules>().table = property_table();
  if (!dependents_.empty()) rules<ObjectRules>().dependents = context_.program.arena.copy(dependents_);
  node_.strings = std::get<StringRules*>(rules_);
  node_.numbers = std::get<NumberRules*>(rules_);
  node_.arrays = std::get<ArrayRules*>(rules_);
  node_.objects = std::get<ObjectRules*>(rules_);
  node_.combination = std::get<Combination*>(rules_);
  node_.notes = std::get<Annotations*>(rules_);
}

PropertyTable NodeBuilder::property_table() {
  PropertyTable table;
  table.properties = context_.program.arena.copy(properties_);
  const std::uint32_t size = std::bit_ceil(2 * static_cast<std::uint32_t>(properties_.size()));
  std::uint32_t* slots = context_.program.arena.make_array<std::uint32_t>(size);
  std::fill_n(slots, size, 0u);
  for (std::uint32_t i = 0; i < properties_.size(); ++i) {
    std::uint32_t slot = properties_[i].name.text_rep()->hash & (size - 1);
    while (slots[slot] != 0) slot = (slot + 1) & (size - 1);
    slots[slot] = i + 1;
    if (properties_[i].required) ++table.required;
  }
  table.slots = {slots, size};
  return table;
}

Property& NodeBuilder::property(const Value& name) {
  const auto [known, is_new] = property_numbers_.emplace(name.text(), properties_.size());
  if (is_new) {
    // Names in `required` are values, which have no hash yet.
    const Value key = make_key(context_.program.arena, name.text()).with_origin(name.origin());
    properties_.push_back({key, nullptr, false});
  }
  return properties_[known->second];
}

Nodes NodeBuilder::nodes_of(const KeywordValue& keyword) {
  if (!is_list(keyword)) return {};
  std::vector<const Node*> nodes;
  for (const Value& schema : keyword.value.items()) nodes.push_back(node_of(schema));
  return context_.program.arena.copy(nodes);
}

// The target node of a reference; sets `dynamic_anchor`, if given, to the anchor's name if that is a dynamic one.
const Node* NodeBuilder::referred(const KeywordValue& keyword, std::string* dynamic_anchor) {
  const std::string_view reference = text(keyword);
  if (!keyword.value.is(Kind::String)) return nullptr;
  const std::string uri = resolve_uri(part_.uri, reference);
  Documents& documents = context_.source.documents();
  if (const auto target = documents.find(uri)) {
    if (target->is_dynamic_anchor && dynamic_anchor != nullptr) *dynamic_anchor = split_fragment(uri).fragment;
    return context_.source.node_of(target->schema, *target->part);
  }
  Diagnostic& diagnostic =
      context_.stage.sink.report(diag::unresolved_reference, context_.source.place(keyword.value), reference);
  if (!documents.knows_document(uri)) {
    diagnostic.note(fmt::format("`{}` isn't among the given documents, and capwright never downloads schemas",
                                split_fragment(uri).document));
  } else {
    diagnostic.note("the document has no such place");
    const std::string suggestion = documents.near_place(uri);
    if (!suggestion.empty())
      diagnostic.advise(fmt::format("did you mean `{}{}`?", split_fragment(reference).document, suggestion));
  }
  return nullptr;
}

void NodeBuilder::reference(const KeywordValue& keyword) { combination().reference = referred(keyword, nullptr); }

void NodeBuilder::dynamic_reference(const KeywordValue& keyword) {
  std::string anchor;
  const Node* fallback = referred(keyword, &anchor);
  if (fallback == nullptr) return;
  Arena& arena = context_.program.arena;
  combination().dynamic = arena.make<DynamicReference>(fallback, arena.text(anchor));
}

void NodeBuilder::all_of(const KeywordValue& keyword) { combination().all_of = nodes_of(keyword); }
void NodeBuilder::any_of(const KeywordValue& keyword) { combination().any_of = nodes_of(keyword); }
void NodeBuilder::one_of(const KeywordValue& keyword) { combination().one_of = nodes_of(keyword); }
void NodeBuilder::negated(const KeywordValue& keyword) { combination().negated = node_of(keyword.value); }

void NodeBuilder::condition(const KeywordValue& keyword) {
  const Value* consequence = schema_.find("then");
  const Value* alternative = schema_.find("else");
  if (consequence == nullptr && alternative == nullptr && part_.dialect.draft7) return;
  combination().condition = node_of(keyword.value);
  if (consequence != nullptr) combination().consequence = node_of(*consequence);
  if (alternative != nullptr) combination().alternative = node_of(*alternative);
}

void NodeBuilder::properties(const KeywordValue& keyword) {
  rules<ObjectRules>();
  if (!is_map(keyword)) return;
  for (const Entry& entry : keyword.value.entries()) {
    const Node* node = node_of(entry.value);
    Property& known = property(entry.key);
    known.name = known.name.with_origin(entry.key.origin());
    known.node = node;
  }
}

void NodeBuilder::required(const KeywordValue& keyword) {
  rules<ObjectRules>();
  if (!is_list_of_names(keyword, keyword.value)) return;
  for (const Value& name : keyword.value.items()) {
    property(name).required = true;
    check_required(name);
  }
}

// `additionalProperties: false` refuses a key that is only in `required`: no value meets both.
void NodeBuilder::check_required(const Value& name) {
  const Value* additional = schema_.find("additionalProperties");
  if (additional == nullptr || !additional->is(Kind::Bool) || additional->as_bool()) return;
  const Value* properties = schema_.find("properties");
  const bool has_patterns = schema_.find("patternProperties") != nullptr;
  if (has_patterns || (properties != nullptr && (!properties->is(Kind::Map) || properties->find(name.text())))) return;
  const bool is_misspelt = std::any_of(schema_.entries().begin(), schema_.entries().end(), [](const Entry& entry) {
    return find_keyword(entry.key.text()) == nullptr && meant_by(entry.key.text()) == "properties";
  });
  if (is_misspelt) return;
  std::vector<std::string_view> names;
  if (properties != nullptr) {
    for (const Entry& entry : properties->entries()) names.push_back(entry.key.text());
  }
  Diagnostic& diagnostic =
      context_.stage.sink.report(diag::undeclared_required, context_.source.place(name), name.text());
  const std::string suggestion = did_you_mean(name.text(), names);
  diagnostic.advise(suggestion.empty() ? fmt::format("declare `{}` in `properties`", name.text()) : suggestion);
}

void NodeBuilder::pattern_properties(const KeywordValue& keyword) {
  if (!is_map(keyword)) return;
  std::vector<PatternProperty> patterns;
  for (const Entry& entry : keyword.value.entries()) {
    const Regex* pattern = context_.source.pattern(entry.key);
    if (pattern != nullptr) patterns.push_back({pattern, node_of(entry.value)});
  }
  rules<ObjectRules>().patterns = context_.program.arena.copy(patterns);
}

void NodeBuilder::additional_properties(const KeywordValue& keyword) {
  rules<ObjectRules>().additional = node_of(keyword.value);
}
void NodeBuilder::property_names(const KeywordValue& keyword) { rules<ObjectRules>().names = node_of(keyword.value); }
void NodeBuilder::dependent_required(const KeywordValue& keyword) { add_dependents(keyword, false, true); }
void NodeBuilder::dependent_schemas(const KeywordValue& keyword) { add_dependents(keyword, true, false); }
void NodeBuilder::dependencies(const KeywordValue& keyword) { add_dependents(keyword, true, true); }

void NodeBuilder::add_dependents(const KeywordValue& keyword, bool schemas, bool names) {
  if (!is_map(keyword)) return;
  for (const Entry& entry : keyword.value.entries()) {
    Dependent dependent{entry.key.text(), {}, nullptr};
    if (names && (!schemas || entry.value.is(Kind::List))) {
      if (!is_list_of_names(keyword, entry.value)) continue;
      dependent.required = entry.value.items();
    } else {
      dependent.node = node_of(entry.value);
    }
    dependents_.push_back(dependent);
  }
}

void NodeBuilder::prefix_items(const KeywordValue& keyword) { rules<ArrayRules>().prefix = nodes_of(keyword); }

void NodeBuilder::items(const KeywordValue& keyword) {
  if (!part_.dialect.draft7 || !keyword.value.is(Kind::List)) {
    rules<ArrayRules>().items = node_of(keyword.value);
    return;
  }
  prefix_items(keyword);
  if (const Value* additional = schema_.find("additionalItems")) rules<ArrayRules>().items = node_of(*additional);
}

void NodeBuilder::contains(const KeywordValue& keyword) {
  rules<ArrayRules>().contains = node_of(keyword.value);
  rules<ArrayRules>().contains_evaluates = !part_.dialect.draft7;
}

void NodeBuilder::unevaluated_items(const KeywordValue& keyword) { node_.unevaluated_items = node_of(keyword.value); }
void NodeBuilder::unevaluated_properties(const KeywordValue& keyword) {
  node_.unevaluated_properties = node_of(keyword.value);
}

void NodeBuilder::title(const KeywordValue& keyword) { notes().title = text(keyword); }
void NodeBuilder::description(const KeywordValue& keyword) { notes().description = text(keyword); }
void NodeBuilder::expected(const KeywordValue& keyword) { notes().expected = text(keyword); }
void NodeBuilder::normalized_to(const KeywordValue& keyword) { notes().normalized_to = text(keyword); }
void NodeBuilder::normalized_from(const KeywordValue& keyword) {
  if (is_list_of_names(keyword, keyword.value)) notes().normalized_from = keyword.value.items();
}
void NodeBuilder::also_called(const KeywordValue& keyword) {
  if (!is_map(keyword)) return;
  for (const Entry& entry : keyword.value.entries()) {
    if (!is_list_of_names(keyword, entry.value)) return;
  }
  notes().also_called = &keyword.value;
}
void NodeBuilder::default_value(const KeywordValue& keyword) { notes().default_value = &keyword.value; }
void NodeBuilder::examples(const KeywordValue& keyword) {
  if (is_list(keyword)) notes().examples = keyword.value.items();
}
void NodeBuilder::deprecated(const KeywordValue& keyword) { notes().deprecated = is_true(keyword); }
// A mark with a wrong value is an error, whose message and those beside it must not show the value that it marks.
void NodeBuilder::secret(const KeywordValue& keyword) {
  node_.secret = is_true(keyword) || !keyword.value.is(Kind::Bool);
}

}  // namespace capwright::schema
