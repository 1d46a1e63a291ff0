// Evaluates the tree. Costs are charged at the same nodes as in the API server.
#include "cel/evaluator.h"

#include "base/check.h"
#include "cel/cost.h"

namespace capwright::cel {
namespace {

// Nearly every function with text arguments reads the texts.
std::uint64_t steps_of(std::span<const Val> args) {
  std::uint64_t steps = 0;
  for (const Val& arg : args) {
    if (arg.is(TypeKind::String) || arg.is(TypeKind::Bytes)) steps += arg.text().size() / kBytesOfStep;
  }
  return steps;
}

bool any_tainted(std::span<const Val> values) {
  for (const Val& value : values) {
    if (value.tainted()) return true;
  }
  return false;
}

// The body checks keys and positions itself: a whole double is as valid as an int.
bool is_index_call(const Expr& expr) { return expr.name == "_[_]" || expr.name == "_[?_]"; }

// A field or element of a value that isn't a variable: the server charges that value like a variable. Branches are
// separate paths, and the macros of optional values become branches.
bool pays_start(const Expr& path, const Expr& operand) {
  if (path.start_is_free) return false;
  switch (operand.kind) {
    case ExprKind::Ident:
    case ExprKind::Select:
    case ExprKind::Conditional: return false;
    case ExprKind::Call: return !is_index_call(operand);
    case ExprKind::Macro: return operand.macro != Macro::OptMap && operand.macro != Macro::OptFlatMap;
    default: return true;
  }
}

bool is_nothing(const Val& value) { return value.is(TypeKind::Optional) && value.inner() == nullptr; }

bool fits_shallowly(const Overload& overload, std::span<const Val> args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Type& param = *overload.params[i];
    if (!param.is(TypeKind::Param) && !param.is(TypeKind::Dyn) && !args[i].is(param.kind)) return false;
  }
  return true;
}

}  // namespace

Evaluator::Evaluator(std::span<Val> slots, Arena& arena, std::uint64_t budget)
    : slots_(slots), arena_(arena), budget_(budget), bounds_(arena) {}

void Evaluator::spend(std::uint64_t cost, const Expr& expr) {
  cost_ += cost;
  if (spent_ != nullptr || (cost_ <= budget_ && !bounds_.memory_is_spent() && !bounds_.steps_are_spent())) return;
  std::string what = "the evaluation looks at too many values";
  if (cost_ > budget_) what = "the evaluation costs more than " + std::to_string(budget_) + " units";
  else if (bounds_.memory_is_spent()) what = "the evaluation needs too much memory";
  spent_ = arena_.make<Fault>(expr.where.begin, expr.where.end, arena_.text(what), std::span<const Val>(), true);
}

bool Evaluator::affords(std::uint64_t cost, const Expr& expr) {
  if (spent_ == nullptr && bounds_.step() && cost <= budget_ - cost_) return true;
  spend(cost, expr);
  return false;
}

Val Evaluator::locate(const Val& error, const Expr& expr, std::span<const Val> operands) {
  const Fault& fault = *error.fault();
  if (fault.end != 0) return error;
  return Val::error(arena_.make<Fault>(expr.where.begin, expr.where.end, fault.message, arena_.copy(operands), false));
}

Val Evaluator::fail(const Expr& expr, std::string_view message, std::span<const Val> operands) {
  return locate(make_error(message, arena_), expr, operands);
}

Val Evaluator::evaluate(const Expr& expr) {
  if (spent_ != nullptr) return Val::error(spent_);
  const Val value = evaluate_now(expr);
  return spent_ != nullptr ? Val::error(spent_) : value;
}

Val Evaluator::evaluate_now(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::Literal: return expr.literal;
    case ExprKind::Ident: {
      if (!expr.start_is_free) spend(kCostOfName, expr);
      const Val value = slots_[expr.slot];
      return value.is_error() ? locate(value, expr) : value;
    }
    case ExprKind::Select: return expr.test_only ? test_presence(expr) : select(expr);
    case ExprKind::Call: return call(expr);
    case ExprKind::And:
    case ExprKind::Or: return logic(expr);
    case ExprKind::Conditional: return conditional(expr);
    case ExprKind::List: return list(expr);
    case ExprKind::Map: return map(expr);
    case ExprKind::Macro: return macro(expr);
    case ExprKind::Message: break;
  }
  CW_UNREACHABLE("the checker refuses messages");
}

Val Evaluator::select(const Expr& expr) {
  const Val operand = evaluate(*expr.operand);
  if (operand.is_error()) return operand;
  if (pays_start(expr, *expr.operand)) spend(kCostOfName, expr);
  if (operand.is(TypeKind::Optional)) {
    if (operand.inner() == nullptr) return operand;
    const Val field = select_from(expr, *operand.inner());
    return field.is_error() || field.is(TypeKind::Optional) ? field : make_optional(field, arena_);
  }
  return select_from(expr, operand);
}

Val Evaluator::select_from(const Expr& expr, const Val& operand) {
  const bool optional = expr.optional || expr.operand->type->is(TypeKind::Optional);
  if (!operand.is(TypeKind::Map))
    return fail(expr, "only a map has fields, and this is " + to_text(operand), {&operand, 1});
  const std::optional<Val> field = operand.find(expr.name, arena_);
  if (!field) {
    if (optional) return Val::optional_none();
    spend(kCostOfName, expr);
    return fail(expr, "there is no key `" + std::string(expr.name) + "`", {&operand, 1});
  }
  spend(kCostOfName, expr);
  if (field->is_error()) return locate(*field, expr, {&operand, 1});
  return optional ? make_optional(*field, arena_) : *field;
}

Val Evaluator::test_presence(const Expr& expr) {
  Val operand = evaluate(*expr.operand);
  if (operand.is_error()) return operand;
  if (pays_start(expr, *expr.operand)) spend(kCostOfName, expr);
  if (operand.is(TypeKind::Optional)) {
    if (operand.inner() == nullptr) return Val::boolean(false);
    operand = *operand.inner();
  }
  if (!operand.is(TypeKind::Map))
    return fail(expr, "only a map has fields, and this is " + to_text(operand), {&operand, 1});
  return Val::boolean(operand.find(expr.name, arena_).has_value());
}

Val Evaluator::call(const Expr& expr) {
  if (expr.member && (expr.name == "or" || expr.name == "orValue")) return short_or(expr);
  if (is_index_call(expr)) return index(expr);
  constexpr std::size_t kUsual = 4;
  Val few[kUsual];
  std::vector<Val> many;
  if (expr.args.size() > kUsual) many.resize(expr.args.size());
  const std::span<Val> args(many.empty() ? few : many.data(), expr.args.size());
  const Val* fault = nullptr;
  for (std::size_t i = 0; i < args.size(); ++i) {
    args[i] = evaluate(*expr.args[i]);
    if (args[i].is_error() && fault == nullptr) fault = &args[i];
    // With one or two operands, the server evaluates all of them and charges the call.
    if (fault != nullptr && args.size() > 2) return *fault;
  }
  if (fault != nullptr) {
    spend(1, expr);
    return *fault;
  }
  return run(expr, args);
}

// Indexes of an optional without a value are not evaluated.
Val Evaluator::index(const Expr& expr) {
  const Val container = evaluate(*expr.args[0]);
  if (is_nothing(container)) {
    if (pays_start(expr, *expr.args[0])) spend(kCostOfName, expr);
    return container;
  }
  const Val args[] = {container, evaluate(*expr.args[1])};
  const Val* fault = nullptr;
  if (args[0].is_error()) fault = &args[0];
  else if (args[1].is_error()) fault = &args[1];
  if (fault != nullptr || pays_start(expr, *expr.args[0])) spend(kCostOfName, expr);
  return fault != nullptr ? *fault : run(expr, args);
}

Val Evaluator::run(const Expr& expr, std::span<const Val> args) {
  const Overload* chosen = nullptr;
  for (const Overload* overload : expr.overloads) {
    bool fits = false;
    if (is_index_call(expr)) fits = fits_shallowly(*overload, args.subspan(0, 1));
    else if (expr.overloads.size() == 1) fits = fits_shallowly(*overload, args);
    else fits = accepts(*overload, args);
    if (!fits) continue;
    chosen = overload;
    break;
  }
  if (chosen == nullptr) {
    std::string given;
    for (const Val& arg : args) given += (given.empty() ? "" : ", ") + to_text(arg);
    return fail(expr, "no such overload: it doesn't take " + given, args);
  }
  bounds_.step(steps_of(args));
  const std::uint64_t cost = expr.in_constants ? 0 : chosen->cost.of_args(args, bounds_);
  if (!affords(cost, expr)) return Val::error(spent_);
  Call call{args, arena_, bounds_, expr.regex};
  Val value = chosen->body(call);
  const bool by_result = chosen->cost.of_result != nullptr && !expr.in_constants;
  spend(by_result ? chosen->cost.of_result(value) : cost, expr);
  if (value.is_error()) return locate(value, expr, args);
  return any_tainted(args) ? value.with_taint() : value;
}

Val Evaluator::short_or(const Expr& expr) {
  const Val left = evaluate(*expr.args[0]);
  if (left.is_error()) return left;
  if (!left.is(TypeKind::Optional))
    return fail(expr, "no such overload: " + to_text(left) + " isn't an optional value", {&left, 1});
  if (left.inner() == nullptr) return evaluate(*expr.args[1]);
  return expr.name == "or" ? left : *left.inner();
}

// The value of a part that must be a bool; otherwise an error.
Val Evaluator::boolean(const Expr& expr) {
  const Val value = evaluate(expr);
  if (value.is(TypeKind::Bool) || value.is_error()) return value;
  return fail(expr, "no such overload: a bool is needed, and this is " + to_text(value), {&value, 1});
}

Val Evaluator::logic(const Expr& expr) {
  const bool decisive = expr.kind == ExprKind::Or;
  Val outcome = Val::boolean(!decisive);
  bool tainted = false;
  for (const Expr* arg : expr.args) {
    const Val value = boolean(*arg);
    if (value.is(TypeKind::Bool) && value.as_bool() == decisive) return value;
    if (value.is_error() && !outcome.is_error()) outcome = value;
    tainted |= value.tainted();
  }
  return outcome.is_error() ? outcome : outcome.with_taint(tainted);
}

Val Evaluator::conditional(const Expr& expr) {
  const Val condition = boolean(*expr.args[0]);
  if (condition.is_error()) return condition;
  return evaluate(*expr.args[condition.as_bool() ? 1 : 2]);
}

Val Evaluator::list(const Expr& expr) {
  std::vector<Val> items;
  items.reserve(expr.args.size());
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const Val item = evaluate(*expr.args[i]);
    if (item.is_error()) return item;
    if (!expr.optional_args[i]) items.push_back(item);
    else if (!item.is(TypeKind::Optional)) return fail(*expr.args[i], "`?` needs an optional value", {&item, 1});
    else if (item.inner() != nullptr) items.push_back(*item.inner());
  }
  spend(kCostOfList, expr);
  return make_list(items, arena_);
}

Val Evaluator::map(const Expr& expr) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < expr.args.size(); i += 2) {
    const Val key = evaluate(*expr.args[i]);
    if (key.is_error()) return key;
    const Val value = evaluate(*expr.args[i + 1]);
    if (value.is_error()) return value;
    if (!expr.optional_args[i / 2]) {
      pairs.push_back({key, value});
    } else if (!value.is(TypeKind::Optional)) {
      return fail(*expr.args[i + 1], "`?` needs an optional value", {&value, 1});
    } else if (value.inner() != nullptr) {
      pairs.push_back({key, *value.inner()});
    }
  }
  spend(kCostOfMap, expr);
  return make_map(pairs, arena_);
}

}  // namespace capwright::cel
