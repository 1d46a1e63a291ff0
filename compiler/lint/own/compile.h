// Expressions of a rule become programs; what is wrong with them is reported where it stands in the YAML.
#pragma once
#include <optional>

#include "cel/program.h"
#include "lint/own/rule.h"
#include "value/stage.h"

namespace capwright::lint::own {

class RuleCompiler {
 public:
  // For `rule.is_policy`, names are those that the API server knows; else `object` and `cluster`.
  RuleCompiler(Rule& rule, Stage& stage);

  // Lists of `{name, expression}`; later ones may name earlier variables.
  void add_variables(const Value& list);
  void add_conditions(const Value& list);
  // Lists of `{expression, message, messageExpression, fieldPath, help}`.
  void add_validations(const Value& list);

 private:
  std::optional<Expression> compile(const Value& text, std::optional<cel::TypeKind> result);
  void report(const Value& text, const cel::Issue& issue);
  bool report_unsupported(const Value& text, const cel::Issue& issue);

  // What an expression looks at, also by way of variables.
  struct Fields {
    std::vector<cel::FieldPath> object, values;
  };
  Fields fields_of(const Expression& expression) const;

  Rule& rule_;
  Stage& stage_;
  cel::Environment environment_;
  std::vector<Fields> of_variables_;
};

// `a.b`, `.a['b-c'][0]` as steps; the schema of the files has seen to its form.
cel::FieldPath read_field_path(std::string_view text);

}  // namespace capwright::lint::own
