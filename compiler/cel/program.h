// Expressions, compiled once for an environment and evaluated for many objects. compile() returns a Program; its
// evaluate() takes the values of the variables and returns a value, or the error and its place. A Program is immutable:
// threads may evaluate it concurrently, each with its own Arena.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/ast.h"
#include "cel/cost.h"
#include "cel/structural_schema.h"
#include "cel/val.h"

namespace capwright::cel {

// A name that expressions may use; a name with dots, such as `variables.image`, is one name. Type Dyn without a schema:
// raw data, whose types are checked during evaluation.
struct Variable {
  std::string_view name;
  const Type* type = simple(TypeKind::Dyn);
  const Schema* schema = nullptr;
  bool optional = false;  // `type` is optional(…), and a missing binding is optional.none()
};

// The environment for compiling an expression. Types and schemas must outlive the programs.
struct Environment {
  std::vector<Variable> variables;
  std::optional<TypeKind> result;      // Bool for rules, String for messages; empty: any
  std::uint8_t kubernetes_minor = 37;  // functions of later releases are rejected
};

// `self` and `oldSelf` for a schema's rules; with `optionalOldSelf`, `oldSelf` is an optional value.
Environment rule_environment(const Schema& self, bool optional_old_self, Arena&);

struct Binding {
  std::string_view name;
  Value value;
  const Val* computed = nullptr;  // replaces `value`: the result of another expression, in the same Arena
};

// One step of a path that an expression reads: a key, or a position in a list.
struct FieldStep {
  std::string_view key;
  std::optional<std::uint32_t> index = std::nullopt;

  friend bool operator==(const FieldStep&, const FieldStep&) = default;
};
using FieldPath = std::vector<FieldStep>;

// A part of the expression and its value, to explain a result.
struct Operand {
  Range where;
  Val value;
};

struct Failure {
  Range where;          // the sub-expression that failed
  std::string message;  // secrets are redacted
  std::vector<Operand> operands;
  bool over_budget = false;
};

struct Result {
  Val value;  // an error if `failure` is set; lives in the Arena of the evaluation
  std::optional<Failure> failure;
  std::uint64_t cost = 0;
  std::uint64_t steps = 0;  // visited values (bounds.h), which may take more time than the cost accounts for
};

class Program {
 public:
  explicit Program(std::string_view expression) : text_(arena_.text(expression)) {}

  std::string_view text() const { return text_; }
  std::string_view text(Range range) const { return text_.substr(range.begin, range.end - range.begin); }
  const Type& type() const { return *root_->type; }
  // Whether the expression uses the variable: a rule that uses `oldSelf` is a transition rule.
  bool uses(std::string_view variable) const;
  // The paths below a variable that the expression reads, as far as its text shows them, in order: `[spec, replicas]`
  // for `has(object.spec.replicas)`. The steps live as long as the program.
  std::vector<FieldPath> fields_of(std::string_view variable) const;

  Result evaluate(std::span<const Binding>, Arena&, std::uint64_t budget = kCostOfOneEvaluation) const;
  Result evaluate(std::initializer_list<Binding> bindings, Arena& arena) const {
    return evaluate(std::span(bindings.begin(), bindings.size()), arena);
  }
  // Explains a result: the comparisons and calls that decided it, with their operands. For a false `a && b`, the false
  // parts; for `list.all(x, p)`, the first element that violates `p`.
  std::vector<Operand> reasons(std::span<const Binding>, Arena&) const;

 private:
  friend class Compilation;
  std::optional<std::uint32_t> slot_of(std::string_view variable) const;
  // The values of the variables that the expression uses, and room for those of macros.
  std::span<Val> bound_slots(std::span<const Binding>, Arena&) const;

  Arena arena_;
  std::string_view text_;
  const Expr* root_ = nullptr;
  std::vector<Variable> variables_;
  std::vector<std::unique_ptr<Regex>> regexes_;
  std::uint32_t slots_ = 0;           // of variables, including those of macros
  std::vector<std::uint32_t> named_;  // slots of the variables that the expression uses
};

struct Compiled {
  std::shared_ptr<const Program> program;  // null when there are issues
  std::vector<Issue> issues;
};

Compiled compile(std::string_view expression, const Environment&);

}  // namespace capwright::cel
