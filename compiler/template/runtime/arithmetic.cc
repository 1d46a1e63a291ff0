// Python's operators on numbers, strings and lists, with its error messages.
#include <bit>
#include <cmath>

#include "base/check.h"
#include "diag/catalog/template_operations.h"
#include "template/builtins/methods.h"
#include "template/runtime/objects.h"
#include "template/runtime/runtime.h"
#include "template/runtime/undefined.h"

namespace capwright::jinja {
namespace {

bool is_sequence(const Value& value) { return value.is(Kind::String) || value.is(Kind::List); }

std::string_view sign_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::Add: return "+";
    case BinaryOp::Subtract: return "-";
    case BinaryOp::Multiply: return "*";
    case BinaryOp::Divide: return "/";
    case BinaryOp::FloorDivide: return "//";
    case BinaryOp::Modulo: return "%";
    case BinaryOp::Power: return "** or pow()";
  }
  CW_UNREACHABLE("there is no such operator");
}

// `+` joins two texts, as in Python. Null has advice of its own.
bool is_meant_as_join(BinaryOp op, const Value& a, const Value& b) {
  const auto is_scalar = [](const Value& value) {
    return value.is(Kind::String) || value.is(Kind::Int) || value.is(Kind::Float) || value.is(Kind::Bool);
  };
  return op == BinaryOp::Add && a.is(Kind::String) != b.is(Kind::String) && is_scalar(a) && is_scalar(b);
}

Value refuse_types(Runtime& runtime, BinaryOp op, std::string message, const Value& a, const Value& b) {
  Diagnostic* fault = report_type(runtime, std::move(message), a, b);
  if (fault != nullptr && is_meant_as_join(op, a, b))
    fault->advise("to join texts and numbers, write `~` instead of `+`");
  return Value::error();
}

Value unsupported(Runtime& runtime, BinaryOp op, const Value& a, const Value& b) {
  return refuse_types(runtime, op,
                      fmt::format("unsupported operand type(s) for {}: '{}' and '{}'", sign_of(op),
                                  runtime.type_name(a), runtime.type_name(b)),
                      a, b);
}
Value by_zero(Runtime& runtime, std::string message) {
  return runtime.fail_as(diag::division_by_zero.info, std::move(message));
}
Value too_large(Runtime& runtime, std::string message) {
  return runtime.fail_as(diag::number_too_large.info, std::move(message));
}
Value too_many_bits(Runtime& runtime) {
  return too_large(runtime, fmt::format("this makes a whole number of more than {} bits", kMostBits));
}

// ---- whole numbers ----

Value whole_power(Runtime& runtime, const BigInteger& base, std::uint64_t exponent) {
  const bool grows = base.bits() > 1;
  if (grows && exponent > kMostBits / (base.bits() - 1)) return too_many_bits(runtime);
  // The squares and the products together cost about as much as one product of two numbers as long as the result.
  const std::uint64_t limbs = grows ? base.bits() * exponent / 32 : 1;
  if (!runtime.step(1 + limbs * limbs / 64)) return Value::error();
  BigInteger power(1);
  BigInteger square = base;
  for (std::uint64_t rest = exponent; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) power = power * square;
    if (rest > 1) square = square * square;
  }
  return runtime.integer(power);
}

Value whole_operation(Runtime& runtime, BinaryOp op, const BigInteger& a, const BigInteger& b) {
  if (op == BinaryOp::Multiply && a.bits() + b.bits() > kMostBits) return too_many_bits(runtime);
  const bool divides_whole = op == BinaryOp::FloorDivide || op == BinaryOp::Modulo;
  int factor = 0;
  if (divides_whole) factor = 2;
  else if (op == BinaryOp::Multiply) factor = 1;
  if (!runtime.step_whole(a, b, factor)) return Value::error();
  switch (op) {
    case BinaryOp::Add: return runtime.integer(a + b);
    case BinaryOp::Subtract: return runtime.integer(a - b);
    case BinaryOp::Multiply: return runtime.integer(a * b);
    case BinaryOp::Divide: {
      if (b.is_zero()) return by_zero(runtime, "division by zero");
      const double quotient = BigInteger::true_divide(a, b);
      if (std::isinf(quotient)) return too_large(runtime, "integer division result too large for a float");
      return Value::floating(quotient);
    }
    case BinaryOp::FloorDivide:
    case BinaryOp::Modulo: {
      const bool divides = op == BinaryOp::FloorDivide;
      if (b.is_zero())
        return by_zero(runtime, divides ? "integer division or modulo by zero" : "integer modulo by zero");
      BigInteger quotient;
      BigInteger rest;
      BigInteger::floor_divide(a, b, quotient, rest);
      return runtime.integer(divides ? quotient : rest);
    }
    case BinaryOp::Power: return whole_power(runtime, a, static_cast<std::uint64_t>(b.to_int64().value_or(INT64_MAX)));
  }
  CW_UNREACHABLE("there is no such operator");
}

// Operations whose operands and result fit 64 bits; empty if they don't.
std::optional<Value> small_operation(BinaryOp op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  switch (op) {
    case BinaryOp::Add:
      if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
      return Value::integer(result);
    case BinaryOp::Subtract:
      if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
      return Value::integer(result);
    case BinaryOp::Multiply:
      if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
      return Value::integer(result);
    case BinaryOp::FloorDivide:
      if (b == 0 || b == -1) return std::nullopt;
      return Value::integer(a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0));
    case BinaryOp::Modulo:
      if (b == 0 || b == -1) return std::nullopt;
      return Value::integer(a % b + (a % b != 0 && (a % b < 0) != (b < 0) ? b : 0));
    case BinaryOp::Divide: {
      constexpr std::int64_t kExact = std::int64_t{1} << 53;
      if (b == 0 || a > kExact || a < -kExact || b > kExact || b < -kExact) return std::nullopt;
      return Value::floating(static_cast<double>(a) / static_cast<double>(b));
    }
    case BinaryOp::Power: return std::nullopt;
  }
  CW_UNREACHABLE("there is no such operator");
}

// ---- fractions ----

// float.__divmod__: the remainder has the divisor's sign, and the quotient is a whole number.
void float_divmod(double a, double b, double& quotient, double& rest) {
  rest = std::fmod(a, b);
  double whole = (a - rest) / b;
  if (rest != 0.0) {
    if ((b < 0) != (rest < 0)) {
      rest += b;
      whole -= 1.0;
    }
  } else {
    rest = std::copysign(0.0, b);
  }
  if (whole == 0.0) {
    quotient = std::copysign(0.0, a / b);
    return;
  }
  quotient = std::floor(whole);
  if (whole - quotient > 0.5) quotient += 1.0;
}

Value float_power(Runtime& runtime, double a, double b) {
  if (a == 0.0 && b < 0.0) return by_zero(runtime, "0.0 cannot be raised to a negative power");
  if (a < 0.0 && std::isfinite(a) && std::isfinite(b) && b != std::floor(b)) {
    return runtime.fail_as(diag::wrong_value.info, "a negative number has no real power with a fraction");
  }
  const double power = std::pow(a, b);
  if (std::isinf(power) && std::isfinite(a) && std::isfinite(b)) {
    return too_large(runtime, "(34, 'Numerical result out of range')");
  }
  return Value::floating(power);
}

Value float_operation(Runtime& runtime, BinaryOp op, double a, double b) {
  double quotient = 0.0;
  double rest = 0.0;
  switch (op) {
    case BinaryOp::Add: return Value::floating(a + b);
    case BinaryOp::Subtract: return Value::floating(a - b);
    case BinaryOp::Multiply: return Value::floating(a * b);
    case BinaryOp::Divide: return b == 0.0 ? by_zero(runtime, "float division by zero") : Value::floating(a / b);
    case BinaryOp::FloorDivide:
      if (b == 0.0) return by_zero(runtime, "float floor division by zero");
      float_divmod(a, b, quotient, rest);
      return Value::floating(quotient);
    case BinaryOp::Modulo:
      if (b == 0.0) return by_zero(runtime, "float modulo");
      float_divmod(a, b, quotient, rest);
      return Value::floating(rest);
    case BinaryOp::Power: return float_power(runtime, a, b);
  }
  CW_UNREACHABLE("there is no such operator");
}

// Empty (and reported) for a whole number out of the range of doubles.
std::optional<double> to_float(Runtime& runtime, const Value& value) {
  if (value.is(Kind::Float)) return value.as_float();
  if (is_small_int(value)) return static_cast<double>(small_int(value));
  const double number = runtime.whole(value)->to_double();
  if (!std::isinf(number)) return number;
  too_large(runtime, "int too large to convert to float");
  return std::nullopt;
}

Value number_operation(Runtime& runtime, BinaryOp op, const Value& a, const Value& b) {
  if (is_small_int(a) && is_small_int(b)) {
    if (const auto result = small_operation(op, small_int(a), small_int(b))) return *result;
  }
  if (is_whole(a) && is_whole(b)) {
    const BigInteger exponent = *runtime.whole(b);
    if (op != BinaryOp::Power || !exponent.is_negative()) {
      return whole_operation(runtime, op, *runtime.whole(a), exponent);
    }
  }
  const auto left = to_float(runtime, a);
  const auto right = left ? to_float(runtime, b) : std::nullopt;
  return right ? float_operation(runtime, op, *left, *right) : Value::error();
}

// ---- sequences ----

Value concatenate_strings(Runtime& runtime, Value a, Value b) {
  const bool markup = a.is_markup() || b.is_markup();
  if (markup) {
    a = runtime.escape(a);
    b = runtime.escape(b);
  }
  if (!runtime.room_for_text(a.text().size() + b.text().size())) return Value::error();
  MappedText joined;
  runtime.append(joined, a);
  runtime.append(joined, b);
  const Value result = runtime.mapped_string(joined).as_markup(markup);
  return a.tainted() || b.tainted() ? result.with_taint() : result;
}

Value concatenate(Runtime& runtime, const Value& a, const Value& b) {
  if (a.is(Kind::String) && b.is(Kind::String)) return concatenate_strings(runtime, a, b);
  if (a.is(Kind::String) && !a.is_markup() && b.is(Kind::Object) && b.object_rep()->is_html()) {
    return concatenate_strings(runtime, a, runtime.escape(b));
  }
  if (a.is(Kind::List) && b.is(Kind::List) && a.is_tuple() == b.is_tuple()) {
    if (!runtime.room_for_items(a.items().size() + b.items().size())) return Value::error();
    std::vector<Value> items(a.items().begin(), a.items().end());
    items.insert(items.end(), b.items().begin(), b.items().end());
    if (!runtime.step(items.size() / 16)) return Value::error();
    return runtime.derived(a.is_tuple() ? runtime.tuple(items) : runtime.list(items), a, b);
  }
  if (!is_sequence(a)) return unsupported(runtime, BinaryOp::Add, a, b);
  const std::string_view type = a.is(Kind::String) ? "str" : runtime.type_name(a);
  return refuse_types(runtime, BinaryOp::Add,
                      fmt::format("can only concatenate {} (not \"{}\") to {}", type, runtime.type_name(b), type), a,
                      b);
}

Value repeat(Runtime& runtime, const Value& sequence, const Value& times) {
  const auto number = runtime.whole(times);
  if (!number) {
    return runtime.fail_as(diag::wrong_type.info,
                           fmt::format("can't multiply sequence by non-int of type '{}'", runtime.type_name(times)));
  }
  const std::size_t size = sequence.is(Kind::String) ? sequence.text().size() : sequence.items().size();
  const auto count = static_cast<std::uint64_t>(
      number->is_negative() || size == 0 ? 0 : number->to_int64().value_or(std::int64_t{1} << 40));
  const std::uint64_t total = count > (std::uint64_t{1} << 40) / (size + 1) ? std::uint64_t{1} << 40 : count * size;
  if (sequence.is(Kind::String)) {
    if (!runtime.room_for_text(total)) return Value::error();
    MappedText repeated;
    for (std::uint64_t i = 0; i < count; ++i) runtime.append(repeated, sequence);
    const Value text = runtime.derived(runtime.mapped_string(repeated), sequence, times);
    return (times.tainted() ? runtime.decided(text, times.origin()) : text).as_markup(sequence.is_markup());
  }
  if (!runtime.room_for_items(total) || !runtime.step(total / 16)) return Value::error();
  std::vector<Value> items;
  items.reserve(total);
  for (std::uint64_t i = 0; i < count; ++i) {
    items.insert(items.end(), sequence.items().begin(), sequence.items().end());
  }
  return runtime.derived(sequence.is_tuple() ? runtime.tuple(items) : runtime.list(items), sequence, times);
}

}  // namespace

Value Runtime::integer(const BigInteger& number) {
  if (const auto small = number.to_int64()) return Value::integer(*small);
  return Value::object(arena().make<BigIntegerObject>(arena().copy(number.limbs()), number.is_negative()));
}

Value Runtime::integer(const python::IntText& text) {
  if (const auto small = text.value()) return Value::integer(*small);
  const auto bits_of_digit = static_cast<std::uint64_t>(std::bit_width(static_cast<unsigned>(text.base - 1)));
  const std::uint64_t limbs = text.digits.size() * bits_of_digit / 32;
  if (limbs > kMostBits / 32) return too_many_bits(*this);
  if (!step(1 + limbs * limbs / 64)) return Value::error();
  return integer(BigInteger::from_digits(text.digits, text.base, text.negative));
}

bool Runtime::step_whole(const BigInteger& a, const BigInteger& b, std::uint64_t passes) {
  const std::uint64_t left = a.limbs().size(), right = b.limbs().size();
  return step(1 + (left + right) / 32 + left * right * passes / 64);
}

std::optional<BigInteger> Runtime::whole(const Value& value) {
  if (is_small_int(value)) return BigInteger(small_int(value));
  if (const auto* big = as<BigIntegerObject>(value)) return big->number();
  return std::nullopt;
}

Value Runtime::binary(BinaryOp op, const Value& a, const Value& b) {
  if (is_small_int(a) && is_small_int(b)) {
    if (const auto result = small_operation(op, small_int(a), small_int(b))) return derived(*result, a, b);
  }
  if (a.is_error() || b.is_error()) return Value::error();
  const bool formats = op == BinaryOp::Modulo && a.is(Kind::String);
  if (a.is(Kind::Undefined)) return fail_undefined(a);
  if (formats) return format_percent(*this, a, b);
  if (b.is(Kind::Undefined)) return fail_undefined(b);
  if (is_number(a) && is_number(b)) {
    const Value result = number_operation(*this, op, a, b);
    return result.is_error() ? result : derived(result, a, b);
  }
  if (op == BinaryOp::Add) return concatenate(*this, a, b);
  if (op == BinaryOp::Multiply && is_sequence(a)) return repeat(*this, a, b);
  if (op == BinaryOp::Multiply && is_sequence(b)) return repeat(*this, b, a);
  return unsupported(*this, op, a, b);
}

Value Runtime::negate(const Value& value) {
  if (value.is_error()) return value;
  if (value.is(Kind::Undefined)) return fail_undefined(value);
  if (value.is(Kind::Float)) return derived(Value::floating(-value.as_float()), value);
  if (const auto number = whole(value)) return derived(integer(-*number), value);
  return fail_as(diag::wrong_type.info, fmt::format("bad operand type for unary -: '{}'", type_name(value)));
}

Value Runtime::plus(const Value& value) {
  if (value.is_error()) return value;
  if (value.is(Kind::Undefined)) return fail_undefined(value);
  if (value.is(Kind::Bool)) return derived(Value::integer(value.as_bool()), value);
  if (is_number(value)) return value;
  return fail_as(diag::wrong_type.info, fmt::format("bad operand type for unary +: '{}'", type_name(value)));
}

}  // namespace capwright::jinja
