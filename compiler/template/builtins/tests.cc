// Jinja2's tests: the names after `is`.
#include "template/builtins/operands.h"
#include "template/runtime/objects.h"
#include "template/runtime/undefined.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

Value truth(bool holds) { return Value::boolean(holds); }

// The result of an operation that reports its own errors.
template <class Operation>
Value outcome(Runtime& runtime, Operation operation) {
  const auto failures = runtime.failures();
  const bool holds = operation();
  return runtime.failures() == failures ? truth(holds) : Value::error();
}

template <class Holds>
Value ordered(Runtime& runtime, const BoundArguments& arguments, std::string_view sign, Holds holds) {
  if (!runtime.usable(arguments[0]) || !runtime.usable(arguments[1])) return Value::error();
  const auto order = runtime.order(arguments[0], arguments[1], sign);
  return order ? truth(holds(*order)) : Value::error();
}

// Whether value % divisor == remainder.
Value leaves(Runtime& runtime, const Value& value, const Value& divisor, std::int64_t remainder) {
  const Value left = runtime.binary(BinaryOp::Modulo, value, divisor);
  if (left.is_error()) return left;
  return outcome(runtime, [&] { return runtime.equals(left, Value::integer(remainder)); });
}

bool is_whole_number(const Value& value) {
  return value.is(Kind::Int) || (value.is(Kind::Object) && value.object_rep()->type_name() == "int");
}

// Whether str(value) has letters, and all of them have the wanted case.
Value in_case(Runtime& runtime, const Value& value, bool (*wanted)(char32_t), bool (*other)(char32_t)) {
  const Value text = text_of(runtime, value);
  if (text.is_error()) return text;
  runtime.look_at(text);
  bool some = false;
  for (std::size_t i = 0; i < text.text().size();) {
    const utf8::CodePoint point = utf8::decode(text.text(), i);
    if (other(point.value) || unicode::is_title(point.value)) return truth(false);
    some = some || wanted(point.value);
    i += point.size;
  }
  return truth(some);
}

Value is_builtin_name(Runtime& runtime, const Value& name, BuiltinKind kind) {
  if (!runtime.usable(name) || !runtime.hashable(name)) return Value::error();
  runtime.look_at(name);
  return truth(name.is(Kind::String) && find_builtin(kind, name.text(), runtime.options.extras) != nullptr);
}

// Python's `is`, as far as values have an identity: containers by address, other values by type and value.
bool is_same(Runtime& runtime, const Value& a, const Value& b) {
  runtime.look_at(a);
  runtime.look_at(b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::Bool:
    case Kind::Int: return a.as_int() == b.as_int();
    case Kind::Float: return a.as_float() == b.as_float();
    case Kind::String: return a.is_markup() == b.is_markup() && a.text() == b.text();
    case Kind::List: return a.list_rep() == b.list_rep();
    case Kind::Map: return a.map_rep() == b.map_rep();
    case Kind::Object: return a.object_rep() == b.object_rep();
    case Kind::Undefined: return a.undefined_info() == b.undefined_info();
    default: return true;
  }
}

}  // namespace

Value eq_test(Runtime& runtime, const BoundArguments& arguments) {
  return outcome(runtime, [&] { return runtime.equals(arguments[0], arguments[1]); });
}
Value ne_test(Runtime& runtime, const BoundArguments& arguments) {
  return outcome(runtime, [&] { return !runtime.equals(arguments[0], arguments[1]); });
}
Value lt_test(Runtime& runtime, const BoundArguments& arguments) {
  return ordered(runtime, arguments, "<", [](std::partial_ordering order) { return order < 0; });
}
Value le_test(Runtime& runtime, const BoundArguments& arguments) {
  return ordered(runtime, arguments, "<=", [](std::partial_ordering order) { return order <= 0; });
}
Value gt_test(Runtime& runtime, const BoundArguments& arguments) {
  return ordered(runtime, arguments, ">", [](std::partial_ordering order) { return order > 0; });
}
Value ge_test(Runtime& runtime, const BoundArguments& arguments) {
  return ordered(runtime, arguments, ">=", [](std::partial_ordering order) { return order >= 0; });
}
Value in_test(Runtime& runtime, const BoundArguments& arguments) {
  return outcome(runtime, [&] { return runtime.contains(arguments[1], arguments[0]); });
}
Value sameas_test(Runtime& runtime, const BoundArguments& arguments) {
  return truth(is_same(runtime, arguments[0], arguments[1]));
}

Value defined_test(Runtime&, const BoundArguments& arguments) { return truth(!arguments[0].is(Kind::Undefined)); }
Value undefined_test(Runtime&, const BoundArguments& arguments) { return truth(arguments[0].is(Kind::Undefined)); }
Value none_test(Runtime&, const BoundArguments& arguments) { return truth(arguments[0].is(Kind::Null)); }
Value boolean_test(Runtime&, const BoundArguments& arguments) { return truth(arguments[0].is(Kind::Bool)); }
Value true_test(Runtime& runtime, const BoundArguments& arguments) {
  runtime.look_at(arguments[0]);
  return truth(arguments[0].is(Kind::Bool) && arguments[0].as_bool());
}
Value false_test(Runtime& runtime, const BoundArguments& arguments) {
  runtime.look_at(arguments[0]);
  return truth(arguments[0].is(Kind::Bool) && !arguments[0].as_bool());
}
Value integer_test(Runtime&, const BoundArguments& arguments) { return truth(is_whole_number(arguments[0])); }
Value float_test(Runtime&, const BoundArguments& arguments) { return truth(arguments[0].is(Kind::Float)); }
Value number_test(Runtime&, const BoundArguments& arguments) { return truth(is_number(arguments[0])); }
Value string_test(Runtime&, const BoundArguments& arguments) { return truth(arguments[0].is(Kind::String)); }
Value mapping_test(Runtime&, const BoundArguments& arguments) { return truth(arguments[0].is(Kind::Map)); }
Value iterable_test(Runtime& runtime, const BoundArguments& arguments) { return truth(runtime.iterable(arguments[0])); }

// Undefined values have a length and a `__getitem__`; the length of a strict one is an error.
Value sequence_test(Runtime&, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (value.is(Kind::Undefined)) return truth(value.undefined_info()->mode != UndefinedMode::Strict);
  const bool is_range = value.is(Kind::Object) && value.object_rep()->type_name() == "range";
  return truth(value.is(Kind::String) || value.is(Kind::List) || value.is(Kind::Map) || is_range);
}

// Undefined values have a `__call__`, so Python calls them callable.
Value callable_test(Runtime&, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  return truth(value.is(Kind::Undefined) || (value.is(Kind::Object) && value.object_rep()->callable()));
}

Value escaped_test(Runtime&, const BoundArguments& arguments) { return truth(is_html(arguments[0])); }

Value divisibleby_test(Runtime& runtime, const BoundArguments& arguments) {
  return leaves(runtime, arguments[0], arguments[1], 0);
}
Value even_test(Runtime& runtime, const BoundArguments& arguments) {
  return leaves(runtime, arguments[0], Value::integer(2), 0);
}
Value odd_test(Runtime& runtime, const BoundArguments& arguments) {
  return leaves(runtime, arguments[0], Value::integer(2), 1);
}

Value lower_test(Runtime& runtime, const BoundArguments& arguments) {
  return in_case(runtime, arguments[0], unicode::is_lower, unicode::is_upper);
}
Value upper_test(Runtime& runtime, const BoundArguments& arguments) {
  return in_case(runtime, arguments[0], unicode::is_upper, unicode::is_lower);
}

Value filter_test(Runtime& runtime, const BoundArguments& arguments) {
  return is_builtin_name(runtime, arguments[0], BuiltinKind::Filter);
}
Value test_test(Runtime& runtime, const BoundArguments& arguments) {
  return is_builtin_name(runtime, arguments[0], BuiltinKind::Test);
}

}  // namespace capwright::jinja
