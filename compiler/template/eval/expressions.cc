// Expressions: literals, names, conditions and operators.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "template/eval/control.h"
#include "template/eval/evaluator.h"
#include "template/resolve/resolve.h"
#include "template/runtime/objects.h"
#include "template/runtime/watch.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

bool is_negative(Runtime& runtime, const Value& number) {
  if (number.is(Kind::Int)) return number.as_int() < 0;
  if (number.is(Kind::Float)) return std::signbit(number.as_float());
  const auto whole = number.is(Kind::Object) ? runtime.whole(number) : std::nullopt;
  return whole && whole->is_negative();
}

}  // namespace

namespace {

std::string_view sign_of(CompareOp op) {
  switch (op) {
    case CompareOp::Greater: return ">";
    case CompareOp::GreaterEqual: return ">=";
    case CompareOp::Less: return "<";
    case CompareOp::LessEqual: return "<=";
    default: return "==";
  }
}

bool holds(CompareOp op, std::partial_ordering order) {
  switch (op) {
    case CompareOp::Greater: return order > 0;
    case CompareOp::GreaterEqual: return order >= 0;
    case CompareOp::Less: return order < 0;
    default: return order <= 0;
  }
}

}  // namespace

Value Evaluator::eval(const Expr& expr) {
  const Value value = eval_unchanged(expr);
  return is_changed(value) ? value.with_taint() : value;
}

Value Evaluator::eval_unchanged(const Expr& expr) {
  switch (expr.kind) {
    case NodeKind::Constant: return eval_constant(static_cast<const Constant&>(expr));
    case NodeKind::Name: return eval_name(static_cast<const Name&>(expr));
    default: break;
  }
  const Nesting level(*this, "expressions");
  return level.fits() ? eval_nested(expr) : Value::error();
}

Value Evaluator::eval_nested(const Expr& expr) {
  switch (expr.kind) {
    case NodeKind::Tuple: return eval_items(static_cast<const Tuple&>(expr).items, true);
    case NodeKind::List: return eval_items(static_cast<const ListLiteral&>(expr).items, false);
    case NodeKind::Dict: return eval_dict(static_cast<const Dict&>(expr));
    case NodeKind::Conditional: return eval_conditional(static_cast<const Conditional&>(expr));
    case NodeKind::Filter: return eval_filter(static_cast<const Filter&>(expr), nullptr);
    case NodeKind::Test: return eval_test(static_cast<const Test&>(expr));
    case NodeKind::Call: return eval_call(static_cast<const Call&>(expr), {});
    case NodeKind::GetItem: return eval_item(static_cast<const GetItem&>(expr));
    case NodeKind::GetAttr: return eval_attribute(static_cast<const GetAttr&>(expr));
    case NodeKind::Concat: return eval_concat(static_cast<const Concat&>(expr));
    case NodeKind::Compare: return eval_compare(static_cast<const Compare&>(expr));
    case NodeKind::Binary: return eval_binary(static_cast<const Binary&>(expr));
    case NodeKind::And:
    case NodeKind::Or: return eval_logical(static_cast<const Logical&>(expr));
    case NodeKind::Not:
    case NodeKind::Negate:
    case NodeKind::Plus: return eval_unary(static_cast<const Unary&>(expr));
    default: CW_UNREACHABLE("not an expression that has a value");
  }
}

Value Evaluator::eval_constant(const Constant& constant) {
  if (constant.big_integer.empty()) return constant.value;
  stand_at(constant);
  return integer(*python::parse_int(constant.big_integer, 0));
}

Value Evaluator::eval_items(ListOf<Expr> items, bool as_tuple) {
  SmallVector<Value, 8> values;
  for (const Expr* item : items) values.push_back(eval(*item));
  return as_tuple ? tuple(values.items()) : list(values.items());
}

Value Evaluator::eval_dict(const Dict& literal) {
  const Value result = dict();
  for (const Pair& pair : literal.pairs) {
    const Value key = eval(*pair.key);
    const Value value = eval(*pair.value);
    stand_at(literal, pair.key->span);
    if (!set_item(result, key, value)) return Value::error();
  }
  return result;
}

std::optional<bool> Evaluator::test(const Value& value) {
  if (value.is(Kind::Bool)) return value.as_bool();
  if (!usable(value)) return std::nullopt;
  return truth(value);
}

std::optional<bool> Evaluator::test(const Expr& condition, Value& value) {
  value = eval(condition);
  if (value.is(Kind::Bool)) return value.as_bool();
  stand_at(condition);
  const Watch watch(*this);
  const auto holds = test(value);
  if (value.is(Kind::String) && holds.value_or(false)) warn_of_macro_text(condition, value);
  if (watch.looked() && !value.is_error()) value = value.with_taint();
  return holds;
}

// Gives the result of a condition the taint of that condition; `choices` are the alternatives.
Value Evaluator::eval_decided(const Expr& chosen, const Value& condition, std::initializer_list<const Expr*> choices) {
  if (!decides(condition)) return eval(chosen);
  const Control control(*this);
  Effects effects(*this);
  for (const Expr* choice : choices) {
    if (choice != nullptr) effects.add(*choice);
  }
  effects.decide({}, condition.origin());
  return decided(eval(chosen), condition.origin());
}

// A control trace records what chose a text or number of the template: `1 if limit < 10 else limit`.
Value Evaluator::traced(const Value& chosen, const Value& condition) {
  const bool is_scalar =
      chosen.is(Kind::String) || chosen.is(Kind::Bool) || chosen.is(Kind::Int) || chosen.is(Kind::Float);
  if (!input_.trace_control || !is_scalar || lineage(chosen).origin != OriginId::None) return chosen;
  const OriginId decided = lineage(condition).origin;
  return chosen.with_origin(decided != OriginId::None ? decided : tested_);
}

Value Evaluator::eval_conditional(const Conditional& choice) {
  Value condition;
  if (input_.trace_control) tested_ = OriginId::None;
  const auto holds = test(*choice.test, condition);
  if (!holds) return Value::error();
  if (*holds || choice.otherwise != nullptr) {
    const OriginId asked = tested_;
    const Expr& chosen = *holds ? *choice.then : *choice.otherwise;
    const Value value = eval_decided(chosen, condition, {choice.then, choice.otherwise});
    tested_ = asked;
    return traced(value, condition);
  }
  stand_at(choice);
  UndefinedInfo* info = arena().make<UndefinedInfo>();
  info->why = UndefinedInfo::Why::Hint;
  info->mode = UndefinedMode::Default;  // Jinja2 always uses its lenient class here
  info->hint = arena().text(
      fmt::format("the inline if-expression on line {} in '{}' evaluated to false and no else section was defined.",
                  choice.line, record_->owner->name));
  info->where = choice.span;
  const Value nothing = Value::undefined(info);
  return decides(condition) ? decided(nothing, condition.origin()) : nothing;
}

Value Evaluator::eval_concat(const Concat& concat) {
  SmallVector<Value, 8> values;
  bool failed = false;
  for (const Expr* item : concat.items) {
    values.push_back(eval(*item));
    failed = failed || values.items().back().is_error();
  }
  if (failed) return Value::error();
  // Jinja2 computes a constant at compile time, and then ignores that a part is Markup.
  const bool escapes = escapes_ && !is_computed_early(concat);
  bool markup = false;
  for (const Value& value : values.items()) {
    markup = markup || (escapes && (value.is_markup() || (value.is(Kind::Object) && value.object_rep()->is_html())));
  }
  MappedText joined;
  stand_at(concat);
  const std::uint64_t before = failures();
  for (const Value& value : values.items()) {
    if (markup) {
      const Value escaped = escape(value);
      if (!escaped.is_error()) append(joined, escaped);
    } else if (value.is(Kind::String)) {
      append(joined, value);
    } else {
      const std::string text = str(value);
      const Lineage from = lineage(value);
      append(joined, derived(string(text), from.origin, from.tainted));
    }
    if (!room_for_text(joined.size())) break;
  }
  if (failures() != before) return Value::error();
  const Value result = mapped_string(joined).as_markup(markup);
  const auto is_secret = [](const Value& value) { return value.tainted(); };
  const auto parts = values.items();
  return std::any_of(parts.begin(), parts.end(), is_secret) ? result.with_taint() : result;
}

Value Evaluator::compare_once(CompareOp op, const Value& left, const Value& right) {
  if (left.is_error() || right.is_error()) return Value::error();
  const std::uint64_t before = failures();
  const Watch watch(*this);
  bool result = false;
  switch (op) {
    case CompareOp::Equal: result = equals(left, right); break;
    case CompareOp::NotEqual: result = !equals(left, right); break;
    case CompareOp::In: result = contains(right, left); break;
    case CompareOp::NotIn: result = !contains(right, left); break;
    default: {
      const auto found = order(left, right, sign_of(op));
      if (!found) return Value::error();
      result = holds(op, *found);
    }
  }
  if (failures() != before) return Value::error();
  return watch.result(derived(Value::boolean(result), left, right));
}

Value Evaluator::eval_compare(const Compare& compare) {
  Value left = eval(*compare.first);
  Value result = Value::boolean(true);
  for (const Comparison& next : compare.rest) {
    const Value right = eval(*next.expr);
    stand_at(compare);
    const Value once = compare_once(next.op, left, right);
    if (once.is_error()) return once;
    result = derived(once, result, once);
    if (result.tainted() && &next != &compare.rest.back()) Effects(*this).add(*(&next)[1].expr);
    if (!once.as_bool()) break;
    left = right;
  }
  return result;
}

Value Evaluator::eval_binary(const Binary& operation) {
  const Value left = eval(*operation.left);
  const Value right = eval(*operation.right);
  stand_at(operation);
  // Jinja2 prints a constant base into Python code: in `-2 ** i` the sign applies last.
  const bool sign_is_last = operation.op == BinaryOp::Power && is_negative(*this, left) &&
                            is_computed_early(*operation.left) && !is_computed_early(*operation.right);
  if (!sign_is_last) return binary(operation.op, left, right);
  const Value power = binary(operation.op, negate(left), right);
  return power.is_error() ? power : negate(power);
}

Value Evaluator::eval_logical(const Logical& operation) {
  Value left;
  const auto holds = test(*operation.left, left);
  if (!holds) return Value::error();
  const bool is_and = operation.kind == NodeKind::And;
  if (*holds == is_and) return eval_decided(*operation.right, left, {operation.right});
  if (decides(left)) Effects(*this).add(*operation.right);
  return left;
}

Value Evaluator::eval_unary(const Unary& operation) {
  if (operation.kind == NodeKind::Not) {
    Value operand;
    const auto holds = test(*operation.operand, operand);
    if (!holds) return Value::error();
    const Value result = Value::boolean(!*holds).with_origin(operand.origin());
    return decides(operand) ? secret(result) : result;
  }
  const Value operand = eval(*operation.operand);
  stand_at(operation);
  return operation.kind == NodeKind::Negate ? negate(operand) : plus(operand);
}

}  // namespace capwright::jinja
