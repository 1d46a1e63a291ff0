// Schemas of variables are those of CRDs, with fewer words.
#include "admission/class_variables.h"

#include <algorithm>
#include <fmt/format.h>

#include "admission/edit.h"
#include "admission/pattern.h"
#include "cel/program.h"
#include "text/utf8.h"

namespace capwright::admission {
namespace {

using crd::Reason;

constexpr std::string_view kTypes[] = {"array", "boolean", "integer", "number", "object", "string"};

bool is_flag(const Value& schema, std::string_view key) {
  const Value* flag = schema.find(key);
  return flag != nullptr && flag->is(Kind::Bool) && flag->as_bool();
}

bool is_of_type(const Value& value, std::string_view type) {
  if (type == "array") return value.is(Kind::List);
  if (type == "boolean") return value.is(Kind::Bool);
  if (type == "integer") return value.is(Kind::Int);
  if (type == "number") return value.is(Kind::Int) || value.is(Kind::Float);
  if (type == "object") return value.is(Kind::Map);
  return value.is(Kind::String);
}

// A bound of a schema against a size; false when it isn't kept.
bool keeps(const Value& schema, std::string_view least, std::string_view most, double size) {
  const auto number = [](const Value* v) {
    return v->is(Kind::Int) ? static_cast<double>(v->as_int()) : v->as_float();
  };
  const Value* low = schema.find(least);
  const Value* high = schema.find(most);
  const auto is_number = [](const Value* v) { return v != nullptr && (v->is(Kind::Int) || v->is(Kind::Float)); };
  return (!is_number(low) || size >= number(low)) && (!is_number(high) || size <= number(high));
}

// Why a value doesn't fit a schema; empty when it does.
std::string misfit(const Value& value, const Value& schema) {
  const std::string_view type = text_at(schema, "type");
  if (!type.empty() && !is_of_type(value, type)) return fmt::format("must be of type {}", type);
  const Value* candidates = schema.find("enum");
  if (candidates != nullptr && candidates->is(Kind::List)) {
    const auto all = candidates->items();
    if (std::none_of(all.begin(), all.end(), [&](const Value& one) { return json_equal(one, value); }))
      return "is none of the values of enum";
  }
  if (value.is(Kind::String) &&
      !keeps(schema, "minLength", "maxLength", static_cast<double>(utf8::length(value.text()))))
    return "is too short or too long";
  if (value.is(Kind::Int) && !keeps(schema, "minimum", "maximum", static_cast<double>(value.as_int())))
    return "is too small or too large";
  if (value.is(Kind::Float) && !keeps(schema, "minimum", "maximum", value.as_float()))
    return "is too small or too large";
  if (value.is(Kind::List) && !keeps(schema, "minItems", "maxItems", static_cast<double>(value.items().size())))
    return "has too few or too many items";
  return "";
}

class VariableSchema {
 public:
  VariableSchema(Subject& subject, std::string_view where) : subject_(subject), where_(where) {}

  void check(const Value& schema, const std::string& path) {
    if (!schema.is(Kind::Map)) return;
    const std::string_view type = text_at(schema, "type");
    const bool open =
        is_flag(schema, "x-kubernetes-int-or-string") || is_flag(schema, "x-kubernetes-preserve-unknown-fields");
    if (type.empty() && !open)
      return refuse(Reason::Required, path + ".type", "must not be empty for specified object fields");
    if (!type.empty() && std::find(std::begin(kTypes), std::end(kTypes), type) == std::end(kTypes))
      return refuse(Reason::NotSupported, path + ".type",
                    "supported values: \"array\", \"boolean\", \"integer\", \"number\", \"object\", \"string\"");
    for (const char* key : {"default", "example"}) {
      const Value* value = schema.find(key);
      if (value == nullptr || value->is(Kind::Null)) continue;
      if (const std::string why = misfit(*value, schema); !why.empty())
        refuse(Reason::Invalid, fmt::format("{}.{}", path, key), why);
    }
    if (!is_empty(schema.find("properties")) && !is_empty(schema.find("additionalProperties")))
      refuse(Reason::Forbidden, path, "additionalProperties and properties are mutually exclusive");
    check_rules(schema, path);
    check_below(schema, path);
  }

 private:
  void refuse(Reason reason, const std::string& path, std::string_view why) {
    // The server names a variable by its name; the place is the variable's.
    Pattern(where_).each(subject_.root(), false,
                         [&](const crd::Place& place) { subject_.refuse(reason, place, path, why); });
  }

  void check_below(const Value& schema, const std::string& path) {
    if (const Value* properties = schema.find("properties"); properties != nullptr && properties->is(Kind::Map)) {
      for (const Entry& entry : properties->entries())
        check(entry.value, fmt::format("{}.properties[{}]", path, entry.key.text()));
    }
    for (const char* key : {"items", "additionalProperties"}) {
      if (const Value* below = schema.find(key)) check(*below, fmt::format("{}.{}", path, key));
    }
  }

  void check_rules(const Value& schema, const std::string& path) {
    const Value* rules = schema.find("x-kubernetes-validations");
    if (rules == nullptr || !rules->is(Kind::List)) return;
    const cel::Schema* read = cel::read_schema(schema, cel::SchemaRole::Plain, subject_.arena());
    if (read->type == nullptr) return;
    const cel::Environment environment = cel::rule_environment(*read, false, subject_.arena());
    for (std::size_t i = 0; i < rules->items().size(); ++i) {
      const std::string at = fmt::format("{}.x-kubernetes-validations[{}].rule", path, i);
      const std::string_view rule = text_at(rules->items()[i], "rule");
      if (rule.empty()) refuse(Reason::Required, at, "rule is not specified");
      else if (const cel::Compiled compiled = cel::compile(rule, environment); !compiled.issues.empty())
        refuse(Reason::Invalid, at, "compilation failed: " + compiled.issues.front().message);
    }
  }

  Subject& subject_;
  std::string_view where_;
};

}  // namespace

void check_class_variables(Subject& subject) {
  const Value* variables = find(subject.object(), "spec.variables");
  if (variables == nullptr || !variables->is(Kind::List)) return;
  for (std::size_t i = 0; i < variables->items().size(); ++i) {
    const Value& variable = variables->items()[i];
    const std::string_view name = text_at(variable, "name");
    const std::string path = fmt::format("spec.variables[{}]", name), place = fmt::format("spec.variables[{}]", i);
    if (name.empty()) subject.refuse(Reason::Required, place + ".name", "variable name must be defined");
    if (name == "builtin") subject.refuse(Reason::Invalid, place + ".name", "\"builtin\" is a reserved variable name");
    if (name.find('.') != std::string_view::npos)
      subject.refuse(Reason::Invalid, place + ".name", "variable name cannot contain \".\"");
    if (const Value* schema = find(variable, "schema.openAPIV3Schema"))
      VariableSchema(subject, place).check(*schema, path + ".schema.openAPIV3Schema");
  }
}

}  // namespace capwright::admission
