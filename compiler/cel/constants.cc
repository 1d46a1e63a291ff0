// Constant folding. It changes when parts are evaluated, and so the cost, but not the values.
#include <algorithm>

#include "cel/checker.h"
#include "cel/evaluator.h"

namespace capwright::cel {
namespace {

constexpr std::string_view kConversions[] = {"bool", "bytes",  "double",    "duration", "dyn",
                                             "int",  "string", "timestamp", "type",     "uint"};

bool is_conversion(const Expr& expr) {
  return expr.kind == ExprKind::Call && !expr.member && expr.args.size() == 1 &&
         std::find(std::begin(kConversions), std::end(kConversions), expr.name) != std::end(kConversions);
}

// The values that the server puts into a set of constants.
bool is_scalar(const Val& value) {
  return value.kind() >= TypeKind::Bool && value.kind() <= TypeKind::Bytes && !value.is(TypeKind::Bytes);
}

bool is_index(const Expr& expr) { return expr.kind == ExprKind::Call && (expr.name == "_[_]" || expr.name == "_[?_]"); }

// A path such as `a.b[0]` that is an index or a branch is resolved as a part of the enclosing path.
void free_start(Expr& path) {
  if (path.kind == ExprKind::Ident) path.start_is_free = true;
  const bool is_field = path.kind == ExprKind::Select && !path.test_only;
  if (!is_field && !is_index(path)) return;
  path.start_is_free = true;
  free_start(is_field ? *path.operand : *path.args[0]);
}

class Folding {
 public:
  Folding(Arena& arena, std::vector<Issue>& issues) : arena_(arena), issues_(issues) {}

  void fold(Expr& expr) {
    if (expr.operand != nullptr) fold(*expr.operand);
    for (Expr* arg : expr.args) fold(*arg);
    if (is_index(expr)) free_start(*expr.args[1]);
    if (expr.kind == ExprKind::Conditional) {
      free_start(*expr.args[1]);
      free_start(*expr.args[2]);
    }
    if (is_membership_in_nothing(expr)) return become(expr, Val::boolean(false));
    const bool constant =
        std::all_of(expr.args.begin(), expr.args.end(), [](const Expr* arg) { return arg->kind == ExprKind::Literal; });
    const bool container = expr.kind == ExprKind::List || expr.kind == ExprKind::Map;
    const bool optional =
        std::find(expr.optional_args.begin(), expr.optional_args.end(), true) != expr.optional_args.end();
    if (!constant || (!is_conversion(expr) && (!container || optional))) {
      expr.in_constants = expr.kind == ExprKind::Call && expr.name == "@in" && is_list_of_scalars(*expr.args[1]);
      return;
    }
    Evaluator evaluator({}, arena_, kCostOfOneEvaluation);
    const Val value = evaluator.evaluate(expr);
    if (value.is_error()) {
      issues_.push_back({expr.where.begin, expr.where.end, std::string(value.fault()->message), ""});
      return;
    }
    become(expr, value);
  }

 private:
  static void become(Expr& expr, const Val& value) {
    expr.kind = ExprKind::Literal;
    expr.literal = value;
    expr.args = {};
  }

  static bool is_membership_in_nothing(const Expr& expr) {
    if (expr.kind != ExprKind::Call || expr.name != "@in" || expr.args[1]->kind != ExprKind::Literal) return false;
    return expr.args[1]->literal.is(TypeKind::List) && expr.args[1]->literal.size() == 0;
  }

  bool is_list_of_scalars(const Expr& expr) {
    if (expr.kind != ExprKind::Literal || !expr.literal.is(TypeKind::List)) return false;
    for (std::size_t i = 0; i < expr.literal.size(); ++i) {
      if (!is_scalar(expr.literal.item(i, arena_))) return false;
    }
    return true;
  }

  Arena& arena_;
  std::vector<Issue>& issues_;
};

}  // namespace

void fold_constants(Expr& root, Arena& arena, std::vector<Issue>& issues) { Folding(arena, issues).fold(root); }

}  // namespace capwright::cel
