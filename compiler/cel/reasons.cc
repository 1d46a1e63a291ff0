// Explains the result of an expression: finds the deciding leaves by evaluating the tree again from the top.
#include "cel/evaluator.h"
#include "cel/program.h"

namespace capwright::cel {

namespace {

constexpr std::size_t kMostReasons = 8;

class Reasons {
 public:
  Reasons(Evaluator& evaluator, std::vector<Operand>& found) : evaluator_(evaluator), found_(found) {}

  void explain(const Expr& expr) {
    if (found_.size() >= kMostReasons) return;
    switch (expr.kind) {
      case ExprKind::And:
      case ExprKind::Or: return explain_logic(expr);
      case ExprKind::Conditional: return explain_conditional(expr);
      case ExprKind::Macro: return explain_macro(expr);
      case ExprKind::Call:
        if (expr.name == "!_") return explain(*expr.args[0]);
        for (const Expr* arg : expr.args) add_operand(*arg);
        return;
      default: add_operand(expr);
    }
  }

 private:
  // Adds the value of an operand, unless the expression shows it literally.
  void add_operand(const Expr& expr) {
    if (expr.kind == ExprKind::Literal || expr.kind == ExprKind::List) return;
    found_.push_back({expr.where, evaluator_.evaluate(expr)});
  }

  // If one part decided, that part; otherwise all.
  void explain_logic(const Expr& expr) {
    const bool decisive = expr.kind == ExprKind::Or;
    const Val outcome = evaluator_.evaluate(expr);
    const bool decided = outcome.is(TypeKind::Bool) && outcome.as_bool() == decisive;
    for (const Expr* arg : expr.args) {
      const Val value = evaluator_.evaluate(*arg);
      const bool part = value.is(TypeKind::Bool) && value.as_bool() == decisive;
      if (decided && !part) continue;
      explain(*arg);
      if (decided) return;
    }
  }

  void explain_conditional(const Expr& expr) {
    explain(*expr.args[0]);
    const Val condition = evaluator_.evaluate(*expr.args[0]);
    if (condition.is(TypeKind::Bool)) explain(*expr.args[condition.as_bool() ? 1 : 2]);
  }

  void explain_macro(const Expr& expr) {
    const Val range = evaluator_.evaluate(*expr.operand);
    const bool quantifier = expr.macro == Macro::All || expr.macro == Macro::Exists;
    if (!quantifier || (!range.is(TypeKind::List) && !range.is(TypeKind::Map))) return add_operand(*expr.operand);
    const Rounds rounds = evaluator_.rounds_of(range);
    const bool decisive = expr.macro == Macro::Exists;
    for (std::size_t i = 0; i < rounds.count; ++i) {
      evaluator_.bind(expr, rounds, i);
      const Val value = evaluator_.evaluate(*expr.args[0]);
      if (value.is(TypeKind::Bool) && value.as_bool() == decisive) return explain(*expr.args[0]);
    }
    add_operand(*expr.operand);
  }

  Evaluator& evaluator_;
  std::vector<Operand>& found_;
};

}  // namespace

std::vector<Operand> Program::reasons(std::span<const Binding> bindings, Arena& arena) const {
  // Each level of the tree is evaluated once more than the level above.
  Evaluator evaluator(bound_slots(bindings, arena), arena, kCostOfOneObject);
  std::vector<Operand> found;
  Reasons(evaluator, found).explain(*root_);
  return found;
}

}  // namespace capwright::cel
