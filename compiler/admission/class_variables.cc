// Schemas of variables are CRD schemas with fewer keywords.
#include "admission/class_variables.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "admission/edit.h"
#include "admission/pattern.h"
#include "admission/special.h"
#include "cel/program.h"
#include "text/regex.h"
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

// Compares a size with a schema's bounds; false if one is violated.
bool keeps(const Value& schema, std::string_view least, std::string_view most, double size) {
  const auto number = [](const Value* v) {
    return v->is(Kind::Int) ? static_cast<double>(v->as_int()) : v->as_float();
  };
  const Value* low = schema.find(least);
  const Value* high = schema.find(most);
  const auto is_number = [](const Value* v) { return v != nullptr && (v->is(Kind::Int) || v->is(Kind::Float)); };
  return (!is_number(low) || size >= number(low)) && (!is_number(high) || size <= number(high));
}

// Why a value doesn't match a schema; empty if it does.
std::string misfit(const Value& value, const Value& schema) {
  const std::string_view type = text_at(schema, "type");
  if (!type.empty() && !is_of_type(value, type)) return fmt::format("must be of type {}", type);
  const Value* candidates = schema.find("enum");
  if (candidates != nullptr && candidates->is(Kind::List)) {
    const auto all = candidates->items();
    if (std::none_of(all.begin(), all.end(), [&](const Value& one) { return json_equal(one, value); }))
      return "is none of the values of enum";
  }
  const Value* pattern = schema.find("pattern");
  if (value.is(Kind::String) && pattern != nullptr && pattern->is(Kind::String)) {
    RegexFault fault;
    const auto regex = Regex::compile(pattern->text(), {.dialect = RegexDialect::Re2}, fault);
    if (regex && !regex->matches(value.text())) return fmt::format("should match '{}'", pattern->text());
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

bool is_not_given(const Value* value) { return value == nullptr || value->is(Kind::Null); }

std::span<const Entry> properties_of(const Value& schema) {
  const Value* properties = schema.find("properties");
  return properties != nullptr && properties->is(Kind::Map) ? properties->entries() : std::span<const Entry>();
}

void add_faults(const Value& value, const Value& schema, const std::string& path, std::vector<VariableFault>& faults);

// The fields of a map: present ones are valid, required ones exist, and there are no others.
void add_field_faults(const Value& value, const Value& schema, const std::string& path,
                      std::vector<VariableFault>& faults) {
  const Value* additional = schema.find("additionalProperties");
  if (!is_not_given(additional) && additional->is(Kind::Map)) {
    for (const Entry& entry : value.entries())
      add_faults(entry.value, *additional, fmt::format("{}.{}", path, entry.key.text()), faults);
  }
  if (is_not_given(schema.find("properties"))) return;
  const auto properties = properties_of(schema);
  for (const Entry& property : properties) {
    const Value* field = value.find(property.key.text());
    if (field != nullptr) add_faults(*field, property.value, fmt::format("{}.{}", path, property.key.text()), faults);
  }
  const bool has_unknown = std::any_of(value.entries().begin(), value.entries().end(), [&](const Entry& entry) {
    return schema.find("properties")->find(entry.key.text()) == nullptr;
  });
  if (has_unknown && !is_flag(schema, "x-kubernetes-preserve-unknown-fields"))
    faults.push_back({Reason::Invalid, path, "must not have unknown fields"});
  const Value* required = schema.find("required");
  if (is_not_given(required) || !required->is(Kind::List)) return;
  for (const Value& name : required->items()) {
    const Value* property = name.is(Kind::String) ? schema.find("properties")->find(name.text()) : nullptr;
    const bool is_filled = property != nullptr && property->is(Kind::Map) && !is_not_given(property->find("default"));
    if (name.is(Kind::String) && value.find(name.text()) == nullptr && !is_filled)
      faults.push_back({Reason::Required, fmt::format("{}.{}", path, name.text()), ""});
  }
}

void add_faults(const Value& value, const Value& schema, const std::string& path, std::vector<VariableFault>& faults) {
  if (!schema.is(Kind::Map)) return;
  if (std::string why = misfit(value, schema); !why.empty()) {
    faults.push_back({Reason::Invalid, path, std::move(why)});
    return;
  }
  const Value* items = schema.find("items");
  if (value.is(Kind::List) && !is_not_given(items)) {
    for (std::size_t i = 0; i < value.items().size(); ++i)
      add_faults(value.items()[i], *items, fmt::format("{}[{}]", path, i), faults);
  }
  if (value.is(Kind::Map)) add_field_faults(value, schema, path, faults);
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
    if (type == "array" && is_not_given(schema.find("items")))
      refuse(Reason::Required, path + ".items", "must be specified");
    for (const char* key : {"default", "example"}) {
      const Value* value = schema.find(key);
      if (is_not_given(value)) continue;
      for (const VariableFault& fault : variable_faults(*value, schema, fmt::format("{}.{}", path, key)))
        refuse(fault.reason, fault.path, fault.message);
    }
    check_enum(schema, type, path);
    check_pattern(schema, path);
    check_junctors(schema, path);
    if (!is_empty(schema.find("properties")) && !is_empty(schema.find("additionalProperties")))
      refuse(Reason::Forbidden, path, "additionalProperties and properties are mutually exclusive");
    check_rules(schema, path);
    check_below(schema, path);
  }

 private:
  void refuse(Reason reason, const std::string& path, std::string_view why) {
    Pattern(where_).each(subject_.root(), false,
                         [&](const crd::Place& place) { subject_.refuse(reason, place, path, why); });
  }

  void check_below(const Value& schema, const std::string& path) {
    for (const Entry& entry : properties_of(schema)) {
      if (!is_schema(entry.value, fmt::format("{}.properties[{}]", path, entry.key.text()))) continue;
      check(entry.value, fmt::format("{}.properties[{}]", path, entry.key.text()));
    }
    if (const Value* properties = schema.find("properties"); !is_not_given(properties) && !properties->is(Kind::Map))
      refuse(Reason::Invalid, path + ".properties", "must be a map of schemas");
    for (const char* key : {"items", "additionalProperties"}) {
      const Value* below = schema.find(key);
      if (!is_not_given(below) && is_schema(*below, fmt::format("{}.{}", path, key)))
        check(*below, fmt::format("{}.{}", path, key));
    }
  }

  // The server can't even read a schema of another form.
  bool is_schema(const Value& value, const std::string& path) {
    if (value.is(Kind::Map)) return true;
    refuse(Reason::Invalid, path, "must be a schema");
    return false;
  }

  void check_enum(const Value& schema, std::string_view type, const std::string& path) {
    const Value* values = schema.find("enum");
    if (values == nullptr || !values->is(Kind::List) || type.empty()) return;
    for (std::size_t i = 0; i < values->items().size(); ++i) {
      if (!is_of_type(values->items()[i], type))
        refuse(Reason::Invalid, fmt::format("{}.enum[{}]", path, i), fmt::format("must be of type {}", type));
    }
  }

  void check_pattern(const Value& schema, const std::string& path) {
    const std::string_view pattern = text_at(schema, "pattern");
    RegexFault fault;
    if (!pattern.empty() && !Regex::compile(pattern, {.dialect = RegexDialect::Re2}, fault))
      refuse(Reason::Invalid, path + ".pattern", "must be a valid regular expression, but isn't: " + fault.message);
  }

  // `not` and similar keywords only add constraints: the structure of a schema must be declared outside of them.
  void check_junctors(const Value& schema, const std::string& path) {
    if (const Value* below = schema.find("not")) check_added(*below, path + ".not");
    for (const char* key : {"allOf", "anyOf", "oneOf"}) {
      const Value* below = schema.find(key);
      if (below == nullptr || !below->is(Kind::List)) continue;
      for (std::size_t i = 0; i < below->items().size(); ++i)
        check_added(below->items()[i], fmt::format("{}.{}[{}]", path, key, i));
    }
  }

  void check_added(const Value& schema, const std::string& path) {
    if (!schema.is(Kind::Map)) return;
    for (const char* key : {"type", "default", "nullable", "additionalProperties", "x-kubernetes-int-or-string",
                            "x-kubernetes-preserve-unknown-fields"}) {
      if (!is_empty(schema.find(key)))
        refuse(Reason::Forbidden, fmt::format("{}.{}", path, key), "must be empty to be structural");
    }
    for (const Entry& entry : properties_of(schema))
      check_added(entry.value, fmt::format("{}.properties[{}]", path, entry.key.text()));
    if (const Value* items = schema.find("items")) check_added(*items, path + ".items");
    check_junctors(schema, path);
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

std::vector<VariableFault> variable_faults(const Value& value, const Value& schema, const std::string& path) {
  std::vector<VariableFault> faults;
  add_faults(value, schema, path, faults);
  return faults;
}

void check_class_variables(Subject& subject) {
  const Value* variables = find(subject.object(), "spec.variables");
  if (variables == nullptr || !variables->is(Kind::List)) return;
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < variables->items().size(); ++i) {
    const Value& variable = variables->items()[i];
    const std::string_view name = text_at(variable, "name");
    const std::string place = fmt::format("spec.variables[{}]", i);
    if (name.empty()) subject.refuse(Reason::Required, place + ".name", "variable name must be defined");
    if (name == "builtin") subject.refuse(Reason::Invalid, place + ".name", "\"builtin\" is a reserved variable name");
    if (name.find('.') != std::string_view::npos)
      subject.refuse(Reason::Invalid, place + ".name", "variable name cannot contain \".\"");
    if (!names.insert(name).second) subject.refuse(Reason::Invalid, place + ".name", "variable names must be unique");
    if (const Value* schema = find(variable, "schema.openAPIV3Schema"))
      VariableSchema(subject, place).check(*schema, place + ".schema.openAPIV3Schema");
  }
}

}  // namespace capwright::admission
