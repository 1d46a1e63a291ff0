// Expressions, compiled once for an environment and evaluated for many objects: compile() gives a Program, and its
// evaluate() takes the values of the variables and gives a value, or what failed and where.
// A Program is immutable: threads may evaluate it at the same time, each with an Arena of its own.
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
#include "cel/issue.h"
#include "cel/schema.h"
#include "cel/val.h"

namespace capwright::cel {

// A name that expressions may use; one with dots, such as `variables.image`, as a whole. `type` Dyn and no schema: data
// as it is, checked when it is looked at.
struct Variable {
  std::string_view name;
  const Type* type = simple(TypeKind::Dyn);
  const Schema* schema = nullptr;
  bool optional = false;  // `type` is optional(…), and a missing binding is optional.none()
};

// What an expression is compiled in. Types and schemas must outlive the programs.
struct Environment {
  std::vector<Variable> variables;
  std::optional<TypeKind> result;      // Bool for rules, String for messages; nothing: any
  std::uint8_t kubernetes_minor = 37;  // functions of later releases are refused
};

// `self` and `oldSelf` of a schema's rules; with `optionalOldSelf` the latter is an optional value.
Environment rule_environment(const Schema& self, bool optional_old_self, Arena&);

struct Binding {
  std::string_view name;
  Value value;
  const Val* computed = nullptr;  // in place of `value`: what another expression made, in the Arena of this evaluation
};

// One step of a path that an expression looks at: a key, or a place in a list.
struct FieldStep {
  std::string_view key;
  std::optional<std::uint32_t> index = std::nullopt;

  friend bool operator==(const FieldStep&, const FieldStep&) = default;
};
using FieldPath = std::vector<FieldStep>;

// A part of the expression and what it was: for "which sub-expression, and which values".
struct Operand {
  Range where;
  Val value;
};

struct Failure {
  Range where;          // the sub-expression that failed
  std::string message;  // without the values of secrets
  std::vector<Operand> operands;
  bool over_budget = false;
};

struct Result {
  Val value;  // an error if `failure` is set; lies in the Arena of the evaluation
  std::optional<Failure> failure;
  std::uint64_t cost = 0;
};

class Program {
 public:
  explicit Program(std::string_view expression) : text_(arena_.text(expression)) {}

  std::string_view text() const { return text_; }
  std::string_view text(Range range) const { return text_.substr(range.begin, range.end - range.begin); }
  const Type& type() const { return *root_->type; }
  // Whether the expression names the variable: a rule that uses `oldSelf` is one of transitions.
  bool uses(std::string_view variable) const;
  // What the expression looks at below a variable, as far as its text says so, in that order: `[spec, replicas]` of
  // `has(object.spec.replicas)`. The steps live as long as the program.
  std::vector<FieldPath> fields_of(std::string_view variable) const;

  Result evaluate(std::span<const Binding>, Arena&, std::uint64_t budget = kCostOfOneEvaluation) const;
  Result evaluate(std::initializer_list<Binding> bindings, Arena& arena) const {
    return evaluate(std::span(bindings.begin(), bindings.size()), arena);
  }
  // Why a rule came out as it did: the comparisons and calls that decided, with their operands. For `a && b` that is
  // false, the parts that are false; for `list.all(x, p)`, the first element that breaks it.
  std::vector<Operand> reasons(std::span<const Binding>, Arena&) const;

 private:
  friend class Compilation;
  std::optional<std::uint32_t> slot_of(std::string_view variable) const;
  // The values of the variables that the expression names, and room for those of macros.
  std::span<Val> bound_slots(std::span<const Binding>, Arena&) const;

  Arena arena_;
  std::string_view text_;
  const Expr* root_ = nullptr;
  std::vector<Variable> variables_;
  std::vector<std::unique_ptr<Regex>> regexes_;
  std::uint32_t slots_ = 0;           // of variables, those of macros included
  std::vector<std::uint32_t> named_;  // slots of variables that the expression names
};

struct Compiled {
  std::shared_ptr<const Program> program;  // null when there are issues
  std::vector<Issue> issues;
};

Compiled compile(std::string_view expression, const Environment&);

}  // namespace capwright::cel
