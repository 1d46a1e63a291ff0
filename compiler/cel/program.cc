// Compiles text to a program, and evaluates it with bindings.
#include "cel/program.h"

#include <algorithm>
#include <memory>

#include "cel/checker.h"
#include "cel/evaluator.h"
#include "cel/syntax.h"
#include "cel/text_forms.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

// The node with exactly these bytes, for the ranges of its operands.
const Expr* find_node(const Expr& expr, Range where) {
  if (expr.where.begin == where.begin && expr.where.end == where.end) return &expr;
  if (expr.operand != nullptr) {
    if (const Expr* found = find_node(*expr.operand, where)) return found;
  }
  for (const Expr* arg : expr.args) {
    if (const Expr* found = find_node(*arg, where)) return found;
  }
  return nullptr;
}

Failure failure_of(const Fault& fault, const Expr& root) {
  Failure failure{{fault.begin, fault.end}, std::string(fault.message), {}, fault.stops};
  const Expr* node = find_node(root, failure.where);
  for (std::size_t i = 0; i < fault.operands.size() && node != nullptr; ++i) {
    const Expr* part = node;
    if (node->operand != nullptr) part = node->operand;
    else if (i < node->args.size()) part = node->args[i];
    failure.operands.push_back({part->where, fault.operands[i]});
  }
  return failure;
}

Val bound_value(const Variable& variable, std::span<const Binding> bindings, Arena& arena) {
  const auto found =
      std::find_if(bindings.begin(), bindings.end(), [&](const Binding& b) { return b.name == variable.name; });
  if (found == bindings.end()) {
    if (variable.optional) return Val::optional_none();
    return make_error("`" + std::string(variable.name) + "` has no value here", arena);
  }
  if (found->computed != nullptr) return *found->computed;
  const Val value = from_data(found->value, variable.schema, arena);
  return variable.optional && !value.is_error() ? make_optional(value, arena) : value;
}

}  // namespace

bool names_slot(const Expr& expr, std::uint32_t slot) {
  if (expr.kind == ExprKind::Ident && expr.slot == slot) return true;
  if (expr.operand != nullptr && names_slot(*expr.operand, slot)) return true;
  return std::any_of(expr.args.begin(), expr.args.end(), [&](const Expr* arg) { return names_slot(*arg, slot); });
}

class Compilation {
 public:
  static Compiled run(std::string_view expression, const Environment& environment) {
    Compiled compiled;
    if (!utf8::is_valid(expression)) {
      compiled.issues.push_back({0, static_cast<std::uint32_t>(expression.size()), "the expression is not UTF-8", ""});
      return compiled;
    }
    auto program = std::make_shared<Program>(expression);
    Issue issue;
    Expr* root = parse(program->text_, program->arena_, issue);
    if (root == nullptr) {
      compiled.issues.push_back(std::move(issue));
      return compiled;
    }
    Checker checker(environment, program->arena_, compiled.issues);
    checker.check(*root);
    if (!compiled.issues.empty()) return compiled;
    check_literals(*root, program->regexes_, compiled.issues);
    if (compiled.issues.empty()) fold_constants(*root, program->arena_, compiled.issues);
    check_result(*root, environment, compiled.issues);
    if (!compiled.issues.empty()) return compiled;
    program->root_ = root;
    program->slots_ = checker.slots();
    for (Variable variable : environment.variables) {
      variable.name = program->arena_.text(variable.name);
      program->variables_.push_back(variable);
    }
    for (std::uint32_t slot = 0; slot < program->variables_.size(); ++slot) {
      if (names_slot(*root, slot)) program->named_.push_back(slot);
    }
    compiled.program = std::move(program);
    return compiled;
  }

 private:
  static void check_result(const Expr& root, const Environment& environment, std::vector<Issue>& issues) {
    if (!environment.result || root.type->is(*environment.result)) return;
    issues.push_back({root.where.begin, root.where.end,
                      "the expression must be a `" + to_text(*simple(*environment.result)) + "`, and it is a `" +
                          to_text(*root.type) + "`",
                      ""});
  }
};

Environment rule_environment(const Schema& self, bool optional_old_self, Arena& arena) {
  const Type* type = self.type != nullptr ? self.type : simple(TypeKind::Dyn);
  Environment environment;
  environment.result = TypeKind::Bool;
  environment.variables.push_back({"self", type, &self, false});
  const Type* old_type = optional_old_self ? optional_of(type, arena) : type;
  environment.variables.push_back({"oldSelf", old_type, &self, optional_old_self});
  return environment;
}

Compiled compile(std::string_view expression, const Environment& environment) {
  return Compilation::run(expression, environment);
}

std::optional<std::uint32_t> Program::slot_of(std::string_view variable) const {
  for (std::uint32_t slot = 0; slot < variables_.size(); ++slot) {
    if (variables_[slot].name == variable) return slot;
  }
  return std::nullopt;
}

bool Program::uses(std::string_view variable) const {
  const std::optional<std::uint32_t> slot = slot_of(variable);
  return slot && std::find(named_.begin(), named_.end(), *slot) != named_.end();
}

std::span<Val> Program::bound_slots(std::span<const Binding> bindings, Arena& arena) const {
  const std::span<Val> values(arena.make_array<Val>(slots_), slots_);
  std::uninitialized_fill(values.begin(), values.end(), Val());
  for (const std::uint32_t slot : named_) values[slot] = bound_value(variables_[slot], bindings, arena);
  return values;
}

Result Program::evaluate(std::span<const Binding> bindings, Arena& arena, std::uint64_t budget) const {
  Evaluator evaluator(bound_slots(bindings, arena), arena, budget);
  Result result;
  result.value = evaluator.evaluate(*root_);
  result.cost = evaluator.cost();
  result.steps = evaluator.steps();
  if (result.value.is_error()) result.failure = failure_of(*result.value.fault(), *root_);
  return result;
}

}  // namespace capwright::cel
