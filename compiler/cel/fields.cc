// Finds the fields of a variable that an expression reads, from its tree.
#include <algorithm>

#include "cel/ast.h"
#include "cel/program.h"

namespace capwright::cel {
namespace {

class Fields {
 public:
  explicit Fields(std::uint32_t slot) : slot_(slot) {}

  void visit(const Expr& expr) {
    FieldPath path;
    if (read(expr, path)) {
      found_.push_back(std::move(path));
      return;
    }
    if (expr.operand != nullptr) visit(*expr.operand);
    for (const Expr* arg : expr.args) visit(*arg);
  }

  std::vector<FieldPath> found() { return std::move(found_); }

 private:
  // Whether `expr` is the variable, or a field or item below it.
  bool read(const Expr& expr, FieldPath& path) const {
    if (expr.kind == ExprKind::Ident) return expr.slot == slot_;
    if (expr.kind == ExprKind::Select) {
      if (!read(*expr.operand, path)) return false;
      path.push_back({expr.name});
      return true;
    }
    const bool indexes = expr.kind == ExprKind::Call && (expr.name == "_[_]" || expr.name == "_[?_]");
    if (!indexes || expr.args.size() != 2 || expr.args[1]->kind != ExprKind::Literal) return false;
    const Val& key = expr.args[1]->literal;
    const bool is_place = key.is(TypeKind::Int) && key.as_int() >= 0 && key.as_int() <= UINT32_MAX;
    if ((!is_place && !key.is(TypeKind::String)) || !read(*expr.args[0], path)) return false;
    if (is_place) path.push_back({{}, static_cast<std::uint32_t>(key.as_int())});
    else path.push_back({key.text()});
    return true;
  }

  std::uint32_t slot_;
  std::vector<FieldPath> found_;
};

}  // namespace

std::vector<FieldPath> Program::fields_of(std::string_view variable) const {
  const std::optional<std::uint32_t> slot = slot_of(variable);
  if (!slot) return {};
  Fields fields(*slot);
  fields.visit(*root_);
  return fields.found();
}

}  // namespace capwright::cel
