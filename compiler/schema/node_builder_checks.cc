// Keywords that check scalars, and the messages for schema authors about keyword values of the wrong form.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "diag/catalog/values.h"
#include "diag/suggest.h"
#include "schema/equality.h"
#include "schema/node_builder.h"
#include "schema/words.h"

namespace capwright::schema {
namespace {

struct NamedType {
  std::string_view name;
  TypeSet types;
};
constexpr NamedType kTypes[] = {
    {"null", kNull},     {"boolean", kBoolean}, {"integer", kInteger}, {"number", kNumber},
    {"string", kString}, {"array", kArray},     {"object", kObject},
};

// The type that an unknown word means: the name that a programming language has for it, or a near one.
std::string advice_on_type(const Value& word) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"bool", "boolean"}, {"dict", "object"}, {"double", "number"}, {"float", "number"}, {"int", "integer"},
      {"list", "array"},   {"map", "object"},  {"none", "null"},     {"str", "string"},   {"text", "string"}};
  if (!word.is(Kind::String)) return {};
  const std::string written = lowered(word.text());
  for (const auto& [other, meant] : kWords) {
    if (other == written) return fmt::format("did you mean `{}`?", meant);
  }
  std::vector<std::string_view> names;
  for (const NamedType& known : kTypes) names.push_back(known.name);
  return did_you_mean(written, names);
}

}  // namespace

void NodeBuilder::malformed(const KeywordValue& keyword, std::string_view expected, std::string advice) {
  if (keyword.value.is_error()) return;
  Diagnostic& fault = context_.stage.sink.report(diag::malformed_keyword, context_.source.place(keyword.value),
                                                 "`" + std::string(keyword.name) + "`",
                                                 shown(keyword.value, false, context_.stage), std::string(expected));
  if (!advice.empty()) fault.advise(std::move(advice));
}

bool NodeBuilder::is_map(const KeywordValue& keyword) {
  if (!keyword.value.is(Kind::Map)) malformed(keyword, "a map");
  return keyword.value.is(Kind::Map);
}

bool NodeBuilder::is_list(const KeywordValue& keyword) {
  if (!keyword.value.is(Kind::List)) malformed(keyword, "a list");
  return keyword.value.is(Kind::List);
}

bool NodeBuilder::is_number(const KeywordValue& keyword) {
  const bool number = keyword.value.is(Kind::Int) || keyword.value.is(Kind::Float);
  if (!number) malformed(keyword, "a number");
  return number;
}

bool NodeBuilder::is_true(const KeywordValue& keyword) {
  if (!keyword.value.is(Kind::Bool)) malformed(keyword, "`true` or `false`");
  return keyword.value.is(Kind::Bool) && keyword.value.as_bool();
}

std::string_view NodeBuilder::text(const KeywordValue& keyword) {
  if (keyword.value.is(Kind::String)) return keyword.value.text();
  malformed(keyword, "text");
  return {};
}

std::optional<std::uint32_t> NodeBuilder::whole_number(const KeywordValue& keyword) {
  if (is_whole(keyword.value) && compare_numbers(keyword.value, Value::integer(0)) >= 0) {
    const bool small = compare_numbers(keyword.value, Value::integer(kUnlimited)) < 0;
    if (!small) return kUnlimited;
    return static_cast<std::uint32_t>(keyword.value.is(Kind::Int) ? static_cast<double>(keyword.value.as_int())
                                                                  : keyword.value.as_float());
  }
  malformed(keyword, "an integer of 0 or more");
  return std::nullopt;
}

bool NodeBuilder::is_list_of_names(const KeywordValue& keyword, const Value& value) {
  const bool names = value.is(Kind::List) && std::all_of(value.items().begin(), value.items().end(),
                                                         [](const Value& item) { return item.is(Kind::String); });
  const bool is_draft3 = keyword.name == "required" && value.is(Kind::Bool);
  if (!names)
    malformed({{keyword.key, value}}, "a list of names",
              is_draft3 ? "write it beside `properties`, with the names of the required keys" : "");
  return names;
}

TypeSet NodeBuilder::type_by_name(const KeywordValue& keyword, const Value& name) {
  for (const NamedType& known : kTypes) {
    if (name.is(Kind::String) && name.text() == known.name) return known.types;
  }
  malformed({{keyword.key, name}}, "`null`, `boolean`, `integer`, `number`, `string`, `array` or `object`",
            advice_on_type(name));
  return kAnyType;
}

void NodeBuilder::type(const KeywordValue& keyword) {
  if (!keyword.value.is(Kind::List)) {
    node_.types = type_by_name(keyword, keyword.value);
    return;
  }
  TypeSet types = 0;
  for (const Value& name : keyword.value.items()) types |= type_by_name(keyword, name);
  node_.types = types;
}

void NodeBuilder::candidates(const KeywordValue& keyword) {
  if (!is_list(keyword)) return;
  node_.has_candidates = true;
  node_.candidates = keyword.value.items();
}

void NodeBuilder::constant(const KeywordValue& keyword) {
  node_.has_candidates = true;
  node_.is_constant = true;
  node_.candidates = {&keyword.value, 1};
}

void NodeBuilder::pattern(const KeywordValue& keyword) {
  const std::string_view pattern = text(keyword);
  if (!keyword.value.is(Kind::String)) return;
  rules<StringRules>().pattern = context_.source.pattern(keyword.value);
  rules<StringRules>().pattern_text = pattern;
}

void NodeBuilder::format(const KeywordValue& keyword) {
  const Format format = format_by_name(text(keyword));
  if (const std::string_view meant = misspelt_format(keyword.value.is(Kind::String) ? keyword.value.text() : "");
      !meant.empty()) {
    context_.stage.sink.report(diag::misspelt_format, context_.source.place(keyword.value), keyword.value.text())
        .advise(fmt::format("did you mean `{}`?", meant));
  }
  if (context_.options.assert_formats && format != Format::None) rules<StringRules>().format = format;
}

void NodeBuilder::multiple_of(const KeywordValue& keyword) {
  if (!is_number(keyword)) return;
  if (compare_numbers(keyword.value, Value::integer(0)) <= 0) return malformed(keyword, "a number above 0");
  numbers().multiple_of = keyword.value;
}

void NodeBuilder::unique_items(const KeywordValue& keyword) { rules<ArrayRules>().unique = is_true(keyword); }

void NodeBuilder::unique_key(const KeywordValue& keyword) { rules<ArrayRules>().unique_key = text(keyword); }

}  // namespace capwright::schema
