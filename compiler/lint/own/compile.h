// Compiles the expressions of a rule; reports errors at their place in the YAML.
#pragma once
#include <optional>

#include "cel/program.h"
#include "lint/own/own_rule.h"
#include "value/stage.h"

namespace capwright::lint::own {

class RuleCompiler {
 public:
  // With `rule.is_policy`, expressions see the API server's variables; otherwise `object` and `cluster`.
  RuleCompiler(Rule& rule, Stage& stage);

  // A list of `{name, expression}`; later ones may use earlier variables.
  void add_variables(const Value& list);
  void add_conditions(const Value& list);
  // A list of `{expression, message, messageExpression, fieldPath, help}`.
  void add_validations(const Value& list);

 private:
  std::optional<Expression> compile(const Value& text, std::optional<cel::TypeKind> result);
  void report(const Value& text, const cel::Issue& issue);
  bool report_unsupported(const Value& text, const cel::Issue& issue);

  // The fields that an expression reads, directly or through variables.
  struct Fields {
    std::vector<cel::FieldPath> object, values;
  };
  Fields fields_of(const Expression& expression) const;

  Rule& rule_;
  Stage& stage_;
  cel::Environment environment_;
  std::vector<Fields> of_variables_;
};

// Splits `a.b`, `.a['b-c'][0]` into steps; the schema of rule files has validated it.
cel::FieldPath read_field_path(std::string_view text);

}  // namespace capwright::lint::own
