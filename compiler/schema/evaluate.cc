// Evaluates keywords by the type of value that they apply to. Each check handles and reports only its keywords.
#include "schema/evaluate.h"

#include <algorithm>
#include <unordered_set>

#include "schema/equality.h"
#include "schema/reach.h"
#include "schema/type_trap.h"
#include "text/utf8.h"
#include "value/map_index.h"

namespace capwright::schema {
namespace {

// The number of subschemas per level of the value above which the schema counts as endless.
constexpr std::uint32_t kSchemasPerLevel = 6;

TypeSet type_of(const Value& value) {
  switch (value.kind()) {
    case Kind::Null: return kNull;
    case Kind::Bool: return kBoolean;
    case Kind::Int: return kInteger;
    case Kind::Float: return is_whole(value) ? kInteger : kFraction;
    case Kind::String: return kString;
    case Kind::List: return kArray;
    case Kind::Map: return kObject;
    default: return 0;
  }
}

// The names that `node`, and nodes that apply together with it, declare for a map.
void collect_names(const Node& node, std::vector<std::string_view>& names, std::unordered_set<const Node*>& seen) {
  if (!seen.insert(&node).second) return;
  if (node.objects != nullptr) {
    for (const Property& property : node.objects->table.properties) {
      const bool usable = property.node != nullptr && property.node->form != Node::Form::Refuses;
      const bool known = std::find(names.begin(), names.end(), property.name.text()) != names.end();
      if (usable && !known) names.push_back(property.name.text());
    }
  }
  for_each_in_place(node, [&](const Node& next) { collect_names(next, names, seen); });
}

std::vector<std::string_view> known_names(const Node& node) {
  std::vector<std::string_view> names;
  std::unordered_set<const Node*> seen;
  collect_names(node, names, seen);
  return names;
}

}  // namespace

bool Evaluation::check(const Node& node, const Place& at, Evaluated* evaluated) {
  if (node.form == Node::Form::Accepts) return true;
  if (at.value.is_error()) return met_error_ = true;
  if (node.form == Node::Form::Refuses) {
    if (findings_ != nullptr) findings_->refused(at);
    return false;
  }
  if (exhausted_ || depth_ >= kSchemasPerLevel * stage_.limits.depth || ++steps_ > stage_.limits.steps) {
    if (findings_ != nullptr && !exhausted_) findings_->endless_check(at);
    exhausted_ |= findings_ != nullptr;
    return findings_ != nullptr;  // further findings would add nothing
  }
  ++depth_;
  const Scope* outer = scope_;
  const Scope here{node.resource, outer};
  if (outer == nullptr || outer->resource != node.resource) scope_ = &here;
  const bool ok = check_rules(node, at, evaluated);
  scope_ = outer;
  --depth_;
  return ok;
}

bool Evaluation::asks(const Node& node, const Place& at, Evaluated* evaluated) {
  Findings* reporting = std::exchange(findings_, nullptr);
  const bool ok = check(node, at, evaluated);
  findings_ = reporting;
  return ok;
}

std::optional<bool> Evaluation::knows(const Node& node, const Place& at, Evaluated* evaluated) {
  const bool met_before = std::exchange(met_error_, false);
  const bool ok = asks(node, at, evaluated);
  const bool is_open = ok && met_error_;  // an error stays one, whatever else is fixed
  met_error_ = met_before || is_open;
  return is_open ? std::nullopt : std::optional(ok);
}

bool Evaluation::check_rules(const Node& node, const Place& at, Evaluated* evaluated) {
  if (!check_value(node, at)) return false;  // the other checks would report the same error
  const Kind kind = at.value.kind();
  const Node* unevaluated = nullptr;
  if (kind == Kind::List) unevaluated = node.unevaluated_items;
  else if (kind == Kind::Map) unevaluated = node.unevaluated_properties;
  Evaluated own;
  Evaluated* seen = unevaluated != nullptr ? &own : evaluated;
  bool ok = true;
  if (node.combination != nullptr) ok = check_combination(node, at, seen);
  if (!ok && gives_up()) return false;
  switch (kind) {
    case Kind::String: ok &= node.strings == nullptr || check_string(node, at); break;
    case Kind::Int:
    case Kind::Float: ok &= node.numbers == nullptr || check_number(node, at); break;
    case Kind::List: ok &= node.arrays == nullptr || check_list(node, at, seen); break;
    case Kind::Map: ok &= node.objects == nullptr || check_map(node, at, seen); break;
    default: break;
  }
  if (unevaluated == nullptr) return ok;
  if (ok) ok = check_unevaluated(*unevaluated, node, at, own);
  if (evaluated != nullptr) evaluated->merge(own);
  return ok;
}

bool Evaluation::check_value(const Node& node, const Place& at) {
  if (node.types != kAnyType) {
    if ((type_of(at.value) & node.types) == 0) {
      if (findings_ != nullptr) findings_->wrong_type(node, at);
      return false;
    }
    if (node.types == kString && findings_ != nullptr && is_ambiguous(at.value)) {
      findings_->ambiguous_scalar(at);
      return false;
    }
  }
  if (!node.has_candidates) return true;
  const auto equals = [&](const Value& candidate) { return json_equal(candidate, at.value); };
  if (std::any_of(node.candidates.begin(), node.candidates.end(), equals)) return true;
  if (findings_ != nullptr) findings_->unknown_choice(node, at);
  return false;
}

bool Evaluation::check_string(const Node& node, const Place& at) {
  const StringRules& rules = *node.strings;
  const std::string_view text = at.value.text();
  if (rules.min_length != 0 || rules.max_length != kUnlimited) {
    const std::size_t length = utf8::length(text);
    if (length < rules.min_length || length > rules.max_length) {
      if (findings_ != nullptr) findings_->wrong_length(node, at);
      return false;
    }
  }
  if (rules.pattern != nullptr && !rules.pattern->matches(text)) {
    if (findings_ != nullptr) findings_->pattern_mismatch(node, at);
    return false;
  }
  if (matches_format(text, rules.format)) return true;
  if (findings_ != nullptr) findings_->format_mismatch(node, at);
  return false;
}

bool Evaluation::check_number(const Node& node, const Place& at) {
  const NumberRules& rules = *node.numbers;
  const Value& number = at.value;
  const auto is_set = [](const Value& bound) { return !bound.is(Kind::Null); };
  const bool in_range = (!is_set(rules.minimum) || compare_numbers(number, rules.minimum) >= 0) &&
                        (!is_set(rules.maximum) || compare_numbers(number, rules.maximum) <= 0) &&
                        (!is_set(rules.exclusive_minimum) || compare_numbers(number, rules.exclusive_minimum) > 0) &&
                        (!is_set(rules.exclusive_maximum) || compare_numbers(number, rules.exclusive_maximum) < 0);
  if (!in_range) {
    if (findings_ != nullptr) findings_->out_of_range(node, at);
    return false;
  }
  if (!is_set(rules.multiple_of) || is_multiple(number, rules.multiple_of)) return true;
  if (findings_ != nullptr) findings_->not_a_multiple(node, at);
  return false;
}

bool Evaluation::check_list(const Node& node, const Place& at, Evaluated* evaluated) {
  const ArrayRules& rules = *node.arrays;
  bool ok = true;
  if (const std::size_t size = at.value.items().size(); size < rules.min_items || size > rules.max_items) {
    ok = false;
    if (findings_ != nullptr) findings_->wrong_item_count(node, at);
  }
  if (!ok && gives_up()) return false;
  ok &= check_items(node, at, evaluated);
  if (!ok && gives_up()) return false;
  if (rules.contains != nullptr) ok &= check_contains(node, at, evaluated);
  if (rules.unique && (ok || !gives_up())) ok &= check_unique(at);
  if (!rules.unique_key.empty() && (ok || !gives_up())) ok &= check_unique_key(rules.unique_key, at);
  return ok;
}

bool Evaluation::check_items(const Node& node, const Place& at, Evaluated* evaluated) {
  const ArrayRules& rules = *node.arrays;
  const std::span<const Value> items = at.value.items();
  const std::size_t described = rules.items != nullptr ? items.size() : std::min(items.size(), rules.prefix.size());
  bool ok = true;
  for (std::size_t i = 0; i < described; ++i) {
    const Node& item = i < rules.prefix.size() ? *rules.prefix[i] : *rules.items;
    if (!check(item, {items[i], &at, nullptr, static_cast<std::uint32_t>(i)})) ok = false;
    if (!ok && gives_up()) return false;
    if (evaluated != nullptr) evaluated->mark(i);
  }
  return ok;
}

bool Evaluation::check_contains(const Node& node, const Place& at, Evaluated* evaluated) {
  const ArrayRules& rules = *node.arrays;
  const std::span<const Value> items = at.value.items();
  std::size_t fitting = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!asks(*rules.contains, {items[i], &at, nullptr, static_cast<std::uint32_t>(i)}, nullptr)) continue;
    ++fitting;
    if (evaluated != nullptr && rules.contains_evaluates) evaluated->mark(i);
  }
  if (fitting >= rules.min_contains && fitting <= rules.max_contains) return true;
  if (findings_ != nullptr) findings_->unfit_items(node, at, fitting);
  return false;
}

bool Evaluation::check_unique(const Place& at) {
  const std::optional<RepeatedItem> repeated = find_repeated_item(at.value.items());
  if (!repeated) return true;
  const auto place = [&](std::uint32_t i) { return Place{at.value.items()[i], &at, nullptr, i}; };
  if (findings_ != nullptr) findings_->repeated_item(place(repeated->second), place(repeated->first));
  return false;
}

// Skips items that aren't maps or lack the key: other keywords check those.
bool Evaluation::check_unique_key(std::string_view key, const Place& at) {
  struct Member {
    std::uint32_t item;
    const Entry* entry;
  };
  std::vector<Member> members;
  std::vector<Value> values;
  for (std::uint32_t i = 0; i < at.value.items().size(); ++i) {
    const Value& item = at.value.items()[i];
    if (!item.is(Kind::Map)) continue;
    const auto found = std::find_if(item.entries().begin(), item.entries().end(),
                                    [&](const Entry& entry) { return entry.key.text() == key; });
    if (found == item.entries().end()) continue;
    members.push_back({i, &*found});
    values.push_back(found->value);
  }
  const std::optional<RepeatedItem> repeated = find_repeated_item(values);
  if (!repeated) return true;
  const Member &first = members[repeated->first], &second = members[repeated->second];
  const Place first_item{at.value.items()[first.item], &at, nullptr, first.item};
  const Place second_item{at.value.items()[second.item], &at, nullptr, second.item};
  if (findings_ != nullptr) {
    findings_->repeated_item({second.entry->value, &second_item, &second.entry->key, 0},
                             {first.entry->value, &first_item, &first.entry->key, 0});
  }
  return false;
}

bool Evaluation::check_map(const Node& node, const Place& at, Evaluated* evaluated) {
  const ObjectRules& rules = *node.objects;
  std::uint32_t required = 0;
  bool ok = check_members(node, at, evaluated, required);
  if (!ok && gives_up()) return false;
  if (required != rules.table.required) {
    ok = false;
    report_missing(rules, at);
  }
  if (const std::size_t size = at.value.entries().size(); size < rules.min_properties || size > rules.max_properties) {
    ok = false;
    if (findings_ != nullptr) findings_->wrong_key_count(node, at);
  }
  if (!ok && gives_up()) return false;
  if (rules.names != nullptr) ok &= check_names(*rules.names, at);
  if (!rules.dependents.empty()) ok &= check_dependents(rules, at, evaluated);
  return ok;
}

// Counts the required keys that exist; only if one is missing, looks for which.
bool Evaluation::check_members(const Node& node, const Place& at, Evaluated* evaluated, std::uint32_t& required) {
  const ObjectRules& rules = *node.objects;
  const std::span<const Entry> entries = at.value.entries();
  bool ok = true;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Place member{entries[i].value, &at, &entries[i].key, 0};
    const std::string_view name = entries[i].key.text();
    bool described = false;
    if (const Property* property = rules.table.find(name, key_hash(entries[i].key))) {
      if (property->required) ++required;
      described = property->node != nullptr;
      if (described && !check(*property->node, member)) ok = false;
    }
    for (const PatternProperty& property : rules.patterns) {
      if (!property.pattern->matches(name)) continue;
      described = true;
      if (!check(*property.node, member)) ok = false;
    }
    if (!described && rules.additional != nullptr) {
      described = true;
      if (!check_additional(*rules.additional, node, member)) ok = false;
    }
    if (!ok && gives_up()) return false;
    if (described && evaluated != nullptr) evaluated->mark(i);
  }
  return ok;
}

// A key that only `additionalProperties` or `unevaluatedProperties` of `node` describes.
bool Evaluation::check_additional(const Node& additional, const Node& node, const Place& member) {
  if (additional.form != Node::Form::Refuses) return check(additional, member);
  if (findings_ != nullptr) findings_->unknown_key(member, known_names(node));
  return false;
}

void Evaluation::report_missing(const ObjectRules& rules, const Place& at) {
  if (findings_ == nullptr) return;
  for (const Property& property : rules.table.properties) {
    if (!property.required || at.value.find(property.name.text(), property.name.text_rep()->hash) != nullptr) continue;
    findings_->missing_key(at, property);
  }
}

bool Evaluation::check_names(const Node& names, const Place& at) {
  bool ok = true;
  for (const Entry& entry : at.value.entries()) {
    const Place key{entry.key, &at, nullptr, 0};
    if (asks(names, key, nullptr)) continue;
    ok = false;
    if (gives_up()) return false;
    std::vector<Finding> others = findings_->take();
    check(names, key);
    const std::vector<Finding> reasons = findings_->take();
    findings_->splice(std::move(others));
    findings_->unfit_key(key, reasons);
  }
  return ok;
}

bool Evaluation::check_dependents(const ObjectRules& rules, const Place& at, Evaluated* evaluated) {
  bool ok = true;
  for (const Dependent& dependent : rules.dependents) {
    const std::span<const Entry> entries = at.value.entries();
    const auto given = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& entry) { return entry.key.text() == dependent.name; });
    if (given == entries.end()) continue;
    for (const Value& name : dependent.required) {
      if (at.value.find(name.text()) != nullptr) continue;
      ok = false;
      if (findings_ != nullptr) findings_->missing_companion({given->value, &at, &given->key, 0}, name.text());
    }
    if (dependent.node != nullptr && !check(*dependent.node, at, evaluated)) ok = false;
    if (!ok && gives_up()) return false;
  }
  return ok;
}

bool Evaluation::check_unevaluated(const Node& unevaluated, const Node& node, const Place& at, Evaluated& evaluated) {
  bool ok = true;
  const bool is_list = at.value.is(Kind::List);
  const std::size_t size = is_list ? at.value.items().size() : at.value.entries().size();
  for (std::size_t i = 0; i < size && (ok || !gives_up()); ++i) {
    if (evaluated.has(i)) continue;
    evaluated.mark(i);
    if (is_list) {
      if (!check(unevaluated, {at.value.items()[i], &at, nullptr, static_cast<std::uint32_t>(i)})) ok = false;
    } else {
      const Entry& entry = at.value.entries()[i];
      if (!check_additional(unevaluated, node, {entry.value, &at, &entry.key, 0})) ok = false;
    }
  }
  return ok;
}

}  // namespace capwright::schema
