// Errors that are certain before evaluation: invalid patterns, formats that don't match their values, and literals of
// mixed types, which the API server rejects.
#include <algorithm>

#include "cel/checker.h"

namespace capwright::cel {
namespace {

bool is_text(const Expr& expr) { return expr.kind == ExprKind::Literal && expr.literal.is(TypeKind::String); }

bool same_shape(const Type& a, const Type& b) {
  if (a.kind != b.kind) return false;
  if (a.is(TypeKind::Object)) return same(a, b);
  const auto parts = [](const Type* x, const Type* y) {
    return x == nullptr || y == nullptr ? x == y : same_shape(*x, *y);
  };
  return parts(a.first, b.first) && parts(a.second, b.second);
}

class LiteralChecker {
 public:
  LiteralChecker(std::vector<std::unique_ptr<Regex>>& regexes, std::vector<Issue>& issues)
      : regexes_(regexes), issues_(issues) {}

  // `formatted`: inside a call of `format`, whose lists may have mixed types.
  void walk(Expr& expr, bool formatted) {
    if (expr.kind == ExprKind::Call) check_call(expr);
    if (!formatted && expr.kind == ExprKind::List) check_same(expr, 0, 1);
    if (!formatted && expr.kind == ExprKind::Map) {
      check_same(expr, 0, 2);
      check_same(expr, 1, 2);
    }
    formatted |= expr.kind == ExprKind::Call && expr.name == "format";
    if (expr.operand != nullptr) walk(*expr.operand, formatted);
    for (Expr* arg : expr.args) walk(*arg, formatted);
  }

 private:
  void report(const Expr& expr, std::string message, std::string help = "") {
    issues_.push_back({expr.where.begin, expr.where.end, std::move(message), std::move(help)});
  }

  void check_same(const Expr& expr, std::size_t from, std::size_t step) {
    const Type* wanted = nullptr;
    for (std::size_t i = from; i < expr.args.size(); i += step) {
      const bool optional = (step == 1 || from == 1) && expr.optional_args[i / step];
      const Type* type = expr.args[i]->type;
      if (optional && type->is(TypeKind::Optional) && type->first != nullptr) type = type->first;
      if (wanted == nullptr) wanted = type;
      if (same_shape(*wanted, *type)) continue;
      report(*expr.args[i], "the others are `" + to_text(*wanted) + "`, and this is a `" + to_text(*type) + "`",
             "wrap all of them in `dyn()` if that is meant");
      return;
    }
  }

  void check_call(Expr& expr) {
    const bool pattern = expr.name == "matches" || expr.name == "find" || expr.name == "findAll";
    if (pattern && expr.args.size() >= 2) check_pattern(expr);
    if (expr.name == "format" && expr.args.size() == 2 && is_text(*expr.args[0]) &&
        expr.args[1]->kind == ExprKind::List) {
      check_format(expr);
    }
  }

  void check_pattern(Expr& expr) {
    // In the global form, the server reads the first argument as a pattern, too.
    const bool global = expr.name == "matches" && !expr.member;
    if (global && is_text(*expr.args[0])) compile_pattern(*expr.args[0]);
    if (is_text(*expr.args[1])) expr.regex = compile_pattern(*expr.args[1]);
  }

  const Regex* compile_pattern(const Expr& literal) {
    RegexFault fault;
    std::optional<Regex> regex = Regex::compile(literal.literal.text(), {.dialect = RegexDialect::Re2}, fault);
    if (!regex) {
      report(literal, "this isn't a valid regular expression: " + fault.message);
      return nullptr;
    }
    regexes_.push_back(std::make_unique<Regex>(std::move(*regex)));
    return regexes_.back().get();
  }

  static bool clause_takes(char clause, const Type& type) {
    if (type.is(TypeKind::Dyn) || type.is(TypeKind::Error)) return true;
    const bool whole = type.is(TypeKind::Int) || type.is(TypeKind::Uint);
    switch (clause) {
      case 'd':
      case 'o': return whole;
      case 'b': return whole || type.is(TypeKind::Bool);
      case 'x':
      case 'X': return whole || type.is(TypeKind::String) || type.is(TypeKind::Bytes);
      case 'f':
      case 'e': return type.is(TypeKind::Double) || type.is(TypeKind::String);
      default: return type.kind < TypeKind::Optional && !type.is(TypeKind::Object);
    }
  }

  void check_format(const Expr& expr) {
    std::string_view text = expr.args[0]->literal.text();
    const std::span<Expr* const> values = expr.args[1]->args;
    std::size_t index = 0;
    while (true) {
      const std::size_t mark = text.find('%');
      if (mark == std::string_view::npos) break;
      text.remove_prefix(mark + 1);
      if (text.starts_with('%')) {
        text.remove_prefix(1);
        continue;
      }
      text.remove_prefix(std::min(text.find_first_not_of(".0123456789"), text.size()));
      if (text.empty() || std::string_view("sdfebxXo").find(text[0]) == std::string_view::npos) {
        return report(*expr.args[0], "after `%` a format has one of s, d, f, e, b, o, x or X");
      }
      if (index == values.size()) {
        return report(expr, "the format asks for more than the " + std::to_string(index) + " values of the list");
      }
      const Expr& value = *values[index++];
      if (!clause_takes(text[0], *value.type)) {
        return report(value, "`%" + std::string(1, text[0]) + "` can't write a `" + to_text(*value.type) + "`");
      }
      text.remove_prefix(1);
    }
    if (index < values.size()) {
      report(expr, "the format takes " + std::to_string(index) + " of the " + std::to_string(values.size()) +
                       " values of the list");
    }
  }

  std::vector<std::unique_ptr<Regex>>& regexes_;
  std::vector<Issue>& issues_;
};

}  // namespace

void check_literals(Expr& root, std::vector<std::unique_ptr<Regex>>& regexes, std::vector<Issue>& issues) {
  LiteralChecker(regexes, issues).walk(root, false);
}

}  // namespace capwright::cel
