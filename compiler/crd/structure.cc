// The checks of the server's OpenAPI validator, with its messages and in its order.
#include "crd/structure.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "schema/equality.h"
#include "text/utf8.h"
#include "yaml/write.h"

namespace capwright::crd {
namespace {

// The type of a value, as in messages.
std::string_view type_of(const Value& value) {
  switch (value.kind()) {
    case Kind::Bool: return "boolean";
    case Kind::Int: return "integer";
    case Kind::Float: return "number";
    case Kind::String: return "string";
    case Kind::List: return "array";
    case Kind::Map: return "object";
    default: return "null";
  }
}

bool has_type(const Node& node, const Value& value) {
  if (node.int_or_string && node.type == Type::Any) return value.is(Kind::Int) || value.is(Kind::String);
  switch (node.type) {
    case Type::Any: return true;
    case Type::Object: return value.is(Kind::Map);
    // A list is accepted for a string with a format: the server leaves both to the format check, which ignores lists.
    case Type::String: return value.is(Kind::String) || (value.is(Kind::List) && node.format != Format::None);
    case Type::Array: return value.is(Kind::List);
    case Type::Boolean: return value.is(Kind::Bool);
    case Type::Integer: return value.is(Kind::Int);
    case Type::Number: return value.is_number();
  }
  CW_UNREACHABLE("a Type has no such value");
}

class Checker {
 public:
  Checker(const Node& node, const Place& place, Reporter& report) : node_(node), place_(place), report_(report) {}

  void run() {
    if (place_.old != nullptr && json_equal(*place_.old, value())) return;
    if (value().is(Kind::Null)) {
      if (!node_.nullable && (node_.type != Type::Any || node_.int_or_string)) mistyped();
      if (!node_.candidates.empty()) check_candidates();
      return;
    }
    if (!has_type(node_, value())) mistyped();
    if (node_.combination != nullptr) check_combination(*node_.combination);
    if (value().is(Kind::String)) check_text();
    if (value().is_number()) check_number();
    if (value().is(Kind::List)) check_items();
    if (!node_.candidates.empty()) check_candidates();
    if (value().is(Kind::Map)) check_members();
  }

 private:
  const Value& value() const { return place_.value; }

  Finding& refuse(Reason reason, const std::string& what) { return report_.add(Phase::Schema, reason, place_, what); }
  // "Invalid value: 5: spec.x in body should be …"
  Finding& refuse_value(const std::string& what) {
    return refuse(Reason::Invalid,
                  fmt::format("{}: {} in body {}", with_value(Reason::Invalid, value()), path_of(place_), what));
  }

  void mistyped() {
    const std::string_view got = type_of(value());
    const std::string_view wanted = node_.type == Type::Any ? "integer,string" : type_name(node_.type);
    const bool number_format = node_.type == Type::Integer && value().is(Kind::Float) && node_.format != Format::None;
    Finding& finding =
        report_.add(Phase::Schema, Reason::TypeInvalid, place_,
                    fmt::format("Invalid value: \"{}\": {} in body must be of type {}: \"{}\"", got, path_of(place_),
                                number_format ? format_name(node_.format) : wanted, got));
    judge_quotes(node_.type, value(), report_.stage(), finding);
    if (node_.type == Type::Array && value().is(Kind::Map)) finding.help = help_with_list();
  }

  // v1beta1 has a map where v1beta2 has a list: `kubeletExtraArgs`.
  std::string help_with_list() const {
    constexpr std::size_t kMostNames = 5;
    if (node_.items == nullptr || node_.items->type != Type::Object) return "write a list";
    std::vector<std::string_view> names;
    for (const Property& property : node_.items->table.properties) names.push_back(property.name.text());
    if (names.empty() || names.size() > kMostNames) return "write a list of maps";
    return fmt::format("write a list, whose items have `{}`", fmt::join(names, "`, `"));
  }

  void check_text() {
    const std::string_view text = value().text();
    if (const StringRules* rules = node_.strings) {
      const std::size_t length = rules->max_length != kUnlimited || rules->min_length != 0 ? utf8::length(text) : 0;
      if (rules->max_length != kUnlimited && length > rules->max_length) {
        refuse(Reason::TooLong, fmt::format("Too long: may not be more than {} bytes", rules->max_length));
        return;
      }
      if (length < rules->min_length) {
        refuse_value(fmt::format("should be at least {} chars long", rules->min_length));
        return;
      }
      if (rules->pattern != nullptr && !rules->pattern->matches(text))
        refuse_value(fmt::format("should match '{}'", rules->pattern->text()));
    }
    if (node_.format != Format::None && !matches_format(text, node_.format)) {
      refuse(Reason::TypeInvalid,
             fmt::format("{}: {} in body must be of type {}: {}", with_value(Reason::Invalid, value()), path_of(place_),
                         format_name(node_.format), canonical_json(value())));
    }
  }

  void check_number() {
    if (node_.format == Format::Int32 && value().is(Kind::Int) &&
        (value().as_int() < INT32_MIN || value().as_int() > INT32_MAX)) {
      Finding& finding =
          report_.add(Phase::Schema, Reason::Invalid, place_,
                      fmt::format("Invalid value: \"\": Checked value must be of type integer with format int32 in {}",
                                  path_of(place_)));
      finding.help = fmt::format("it is {}, and 32 bits hold {} to {}", value().as_int(), INT32_MIN, INT32_MAX);
    }
    if (node_.numbers == nullptr) return;
    const NumberRules& rules = *node_.numbers;
    if (rules.multiple_of.is_number() && !schema::is_multiple(value(), rules.multiple_of))
      refuse_value("should be a multiple of " + canonical_json(rules.multiple_of));
    if (rules.maximum.is_number()) {
      const auto order = schema::compare_numbers(value(), rules.maximum);
      if (order > 0 || (rules.exclusive_maximum && order == 0))
        refuse_value(fmt::format("should be less than {}{}", rules.exclusive_maximum ? "" : "or equal to ",
                                 canonical_json(rules.maximum)));
    }
    if (rules.minimum.is_number()) {
      const auto order = schema::compare_numbers(value(), rules.minimum);
      if (order < 0 || (rules.exclusive_minimum && order == 0))
        refuse_value(fmt::format("should be greater than {}{}", rules.exclusive_minimum ? "" : "or equal to ",
                                 canonical_json(rules.minimum)));
    }
  }

  void check_items() {
    const std::span<const Value> items = value().items();
    if (const SizeRules* size = node_.items_size) {
      if (items.size() < size->min) refuse_value(fmt::format("should have at least {} items", size->min));
      if (items.size() > size->max) too_many(items.size(), size->max);
      if (size->unique && schema::find_repeated_item(items)) refuse_value("shouldn't contain duplicates");
    }
    if (node_.items == nullptr) return;
    const Correlation before(node_, place_.old);
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      Place item = Place::item(items[i], i, place_);
      item.old = before.find(items[i]);
      check_structure(*node_.items, item, report_);
    }
  }

  void check_members() {
    const std::span<const Entry> entries = value().entries();
    if (const SizeRules* size = node_.properties_size) {
      if (entries.size() < size->min) {
        refuse_value(fmt::format("should have at least {} properties", size->min)).lacks_members = true;
        return;
      }
      if (entries.size() > size->max) return too_many(entries.size(), size->max);
    }
    std::uint32_t required = 0;
    for (const Entry& entry : entries) {
      const Property* property = node_.table.find(entry.key);
      if (property != nullptr && property->required) ++required;
      const Node* below = property != nullptr ? property->node : node_.additional;
      if (below != nullptr) check_structure(*below, Place::member(entry, place_), report_);
    }
    if (required != node_.table.required) report_missing();
  }

  void report_missing() {
    for (const Property& property : node_.table.properties) {
      if (property.required && value().find(property.name.text()) == nullptr)
        report_.add_missing(Phase::Schema, place_, property.name.text());
    }
  }

  void too_many(std::size_t count, std::uint32_t most) {
    refuse(Reason::TooMany,
           fmt::format("Too many: {}: must have at most {} item{}", count, most, most == 1 ? "" : "s"));
  }

  void check_candidates() {
    const bool known = std::any_of(node_.candidates.begin(), node_.candidates.end(),
                                   [&](const Value& candidate) { return json_equal(candidate, value()); });
    if (known && !value().is(Kind::Null)) return;
    std::string supported;
    std::vector<std::string_view> texts;
    for (const Value& candidate : node_.candidates) {
      supported += (supported.empty() ? "" : ", ") + canonical_json(candidate);
      if (candidate.is(Kind::String)) texts.push_back(candidate.text());
    }
    Finding& finding =
        report_.add(Phase::Schema, Reason::NotSupported, place_,
                    fmt::format("{}: supported values: {}", with_value(Reason::NotSupported, value()), supported));
    if (value().is(Kind::String)) suggest(finding, value().text(), texts);
  }

  Findings findings_of(const Node& alternative) {
    Findings findings;
    Reporter below(findings, report_.stage());
    check_structure(alternative, place_, below);
    return findings;
  }
  void keep(Findings findings) { std::move(findings.begin(), findings.end(), std::back_inserter(report_.findings())); }
  // The server reports it for the whole object; the finding has the exact place.
  void refuse_combination(const std::string& what) {
    report_.add(Phase::Schema, Reason::Invalid, place_,
                fmt::format("Invalid value: \"\": \"{}\" must {}", path_of(place_), what));
  }

  void check_combination(const Combination& combination) {
    if (!combination.any_of.empty()) check_any_of(combination.any_of);
    if (!combination.one_of.empty()) check_one_of(combination.one_of);
    bool all = true;
    for (const Node* part : combination.all_of) {
      Findings findings = findings_of(*part);
      all &= findings.empty();
      keep(std::move(findings));
    }
    if (!all) refuse_combination("validate all the schemas (allOf)");
    if (combination.negated != nullptr && findings_of(*combination.negated).empty())
      refuse_combination("not validate the schema (not)");
  }

  void check_any_of(std::span<const Node* const> alternatives) {
    Findings first;
    for (const Node* alternative : alternatives) {
      Findings findings = findings_of(*alternative);
      if (findings.empty()) return;
      if (first.empty()) first = std::move(findings);
    }
    refuse_combination("validate at least one schema (anyOf)");
    keep(std::move(first));
  }

  void check_one_of(std::span<const Node* const> alternatives) {
    Findings first;
    std::size_t fitting = 0;
    for (const Node* alternative : alternatives) {
      Findings findings = findings_of(*alternative);
      if (findings.empty()) ++fitting;
      else if (first.empty()) first = std::move(findings);
    }
    if (fitting == 1) return;
    refuse_combination(
        fitting == 0 ? "validate one and only one schema (oneOf). Found none valid"
                     : fmt::format("validate one and only one schema (oneOf). Found {} valid alternatives", fitting));
    if (fitting == 0) keep(std::move(first));
  }

  const Node& node_;
  const Place& place_;
  Reporter& report_;
};

}  // namespace

void check_structure(const Node& node, const Place& place, Reporter& report) { Checker(node, place, report).run(); }

}  // namespace capwright::crd
