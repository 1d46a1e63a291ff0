// Filters of numbers: abs, int, float, round, filesizeformat.
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "diag/catalog/template_builtins.h"
#include "diag/catalog/template_operations.h"
#include "template/builtins/operands.h"
#include "text/python_format.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

// Reading a number costs about a step for each byte.
bool step_digits(Runtime& runtime, std::string_view text) { return runtime.step(text.size()); }

// float(value); empty if Python raises ValueError or TypeError. Reports a whole number that is too large.
std::optional<double> text_to_float(Runtime& runtime, const Value& value) {
  if (!value.is(Kind::String)) return number_of(runtime, value);
  return step_digits(runtime, value.text()) ? python::parse_float(value.text()) : std::nullopt;
}

// int(number); empty for nan and infinities.
std::optional<Value> to_whole(Runtime& runtime, double number) {
  if (!std::isfinite(number)) return std::nullopt;
  return runtime.integer(BigInteger::truncated(number));
}

std::optional<Value> text_to_whole(Runtime& runtime, std::string_view text, const Value& base) {
  const bool usable_base = base.is(Kind::Bool) || base.is(Kind::Int);
  const std::int64_t number = usable_base ? base.as_int() : 1;
  if (!step_digits(runtime, text)) return Value::error();
  if (number == 0 || (number >= 2 && number <= 36)) {
    if (const auto parsed = python::parse_int(text, static_cast<int>(number))) return runtime.integer(*parsed);
  }
  const auto real = python::parse_float(text);
  return real ? to_whole(runtime, *real) : std::nullopt;
}

// The power of ten of the first digit; `magnitude` is finite and not 0.
int decimal_exponent(double magnitude) {
  char digits[40];
  const auto end = std::to_chars(digits, digits + sizeof digits, magnitude, std::chars_format::scientific).ptr;
  const char* e = std::find(digits, end, 'e');
  int exponent = 0;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  return exponent;
}

double read(std::string_view text) { return python::parse_float(text).value_or(0.0); }

// round(number, places) as in Python: the decimal nearest to the exact value, halves to even.
double round_places(double number, std::int64_t places) {
  constexpr std::int64_t kMostPlaces = 323, kFewestPlaces = -308;
  if (!std::isfinite(number) || number == 0.0 || places > kMostPlaces) return number;
  if (places < kFewestPlaces) return std::copysign(0.0, number);
  const double magnitude = std::fabs(number);
  python::FloatStyle style;
  if (places >= 0) {
    style = {'f', static_cast<std::uint32_t>(places), false, false};
    return std::copysign(read(python::float_digits(magnitude, style)), number);
  }
  const std::int64_t digits = decimal_exponent(magnitude) + places;
  if (digits >= 0) {
    style = {'e', static_cast<std::uint32_t>(digits), false, false};
    return std::copysign(read(python::float_digits(magnitude, style)), number);
  }
  // Below the last kept digit: 0, or one unit of it if the value is above half a unit.
  const std::string unit = "e" + std::to_string(-places);
  const bool up = magnitude > read("5e" + std::to_string(-places - 1));
  return std::copysign(up ? read("1" + unit) : 0.0, number);
}

// round(whole, -places): to the nearest multiple of 10 ** places, halves to even.
Value round_whole(Runtime& runtime, const BigInteger& number, std::uint64_t places) {
  if (places > number.bits() / 3) return Value::integer(0);  // 10 ** places is more than twice as large
  if (!runtime.step_whole(number, number, 2)) return Value::error();
  const BigInteger unit = BigInteger::from_digits("1" + std::string(static_cast<std::size_t>(places), '0'), 10, false);
  BigInteger quotient, remainder;
  BigInteger::floor_divide(number, unit, quotient, remainder);
  const auto half = remainder + remainder <=> unit;
  BigInteger two_quotients, odd;
  BigInteger::floor_divide(quotient, BigInteger(2), two_quotients, odd);
  if (half > 0 || (half == 0 && !odd.is_zero())) quotient = quotient + BigInteger(1);
  return runtime.integer(quotient * unit);
}

Value round_common(Runtime& runtime, const Value& value, const Value& precision) {
  const bool no_places = precision.is(Kind::Null);
  const auto places = no_places ? std::optional<std::int64_t>(0) : index_argument(runtime, precision);
  if (!places) return Value::error();
  if (const auto whole = runtime.whole(value)) {
    if (*places < 0) return round_whole(runtime, *whole, 0 - static_cast<std::uint64_t>(*places));
    return value.is(Kind::Bool) ? Value::integer(value.as_int()) : value;
  }
  if (!value.is(Kind::Float)) {
    return wrong_type(runtime, "type " + std::string(runtime.type_name(value)) + " doesn't define __round__ method");
  }
  const double rounded = round_places(value.as_float(), *places);
  if (std::isinf(rounded) && std::isfinite(value.as_float())) {
    return runtime.fail(diag::number_too_large, "rounded value too large to represent");
  }
  if (!no_places) return Value::floating(rounded);
  if (const auto result = to_whole(runtime, rounded)) return *result;
  return std::isnan(rounded) ? wrong_value(runtime, "cannot convert float NaN to integer")
                             : runtime.fail(diag::number_too_large, "cannot convert float infinity to integer");
}

// math.ceil and math.floor of value * 10 ** precision, over that power again.
Value round_towards(Runtime& runtime, const Value& value, const Value& precision, bool up) {
  const Value power = runtime.binary(BinaryOp::Power, Value::integer(10), precision);
  const Value scaled = runtime.binary(BinaryOp::Multiply, value, power);
  if (scaled.is_error()) return scaled;
  Value whole = scaled;
  if (scaled.is(Kind::Float)) {
    const double number = scaled.as_float();
    const auto rounded = to_whole(runtime, up ? std::ceil(number) : std::floor(number));
    if (!rounded) {
      return std::isnan(number) ? wrong_value(runtime, "cannot convert float NaN to integer")
                                : runtime.fail(diag::number_too_large, "cannot convert float infinity to integer");
    }
    whole = *rounded;
  } else if (!runtime.whole(scaled)) {
    return wrong_type(runtime, "must be real number, not " + std::string(runtime.type_name(scaled)));
  }
  return runtime.binary(BinaryOp::Divide, whole, power);
}

}  // namespace

Value abs_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& x = arguments[0];
  if (x.is(Kind::Float)) return Value::floating(std::fabs(x.as_float()));
  if (const auto whole = runtime.whole(x)) return runtime.integer(whole->is_negative() ? -*whole : *whole);
  if (x.is(Kind::Undefined)) return runtime.fail_undefined(x);
  return wrong_type(runtime, "bad operand type for abs(): '" + std::string(runtime.type_name(x)) + "'");
}

Value float_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (value.is(Kind::Undefined)) return runtime.fail_undefined(value);
  const auto failures = runtime.failures();
  const auto number = text_to_float(runtime, value);
  if (runtime.failures() != failures) return Value::error();
  return number ? Value::floating(*number) : arguments[1];
}

Value int_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (value.is(Kind::Undefined)) return runtime.fail_undefined(value);
  if (value.is(Kind::String)) return text_to_whole(runtime, value.text(), arguments[2]).value_or(arguments[1]);
  if (value.is(Kind::Float)) {
    if (std::isinf(value.as_float())) {
      return runtime.fail(diag::number_too_large, "cannot convert float infinity to integer");
    }
    return to_whole(runtime, value.as_float()).value_or(arguments[1]);
  }
  const auto whole = runtime.whole(value);
  return whole ? runtime.integer(*whole) : arguments[1];
}

Value round_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& method = arguments[2];
  const std::string_view name = method.is(Kind::String) ? method.text() : std::string_view();
  if (name != "common" && name != "ceil" && name != "floor") {
    return runtime.fail(diag::bad_argument, "round", "`method` is \"common\", \"ceil\" or \"floor\"");
  }
  if (arguments[0].is(Kind::Undefined)) return runtime.fail_undefined(arguments[0]);
  if (name == "common") return round_common(runtime, arguments[0], arguments[1]);
  return round_towards(runtime, arguments[0], arguments[1], name == "ceil");
}

Value filesizeformat_filter(Runtime& runtime, const BoundArguments& arguments) {
  static constexpr std::array<std::string_view, 8> kDecimal{"kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"};
  static constexpr std::array<std::string_view, 8> kBinary{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"};
  const Value& value = arguments[0];
  const auto binary = truth_of(runtime, arguments[1]);
  if (!binary) return Value::error();
  if (value.is(Kind::Undefined)) return runtime.fail_undefined(value);
  const auto failures = runtime.failures();
  const auto bytes = text_to_float(runtime, value);
  if (runtime.failures() != failures) return Value::error();
  if (!bytes && value.is(Kind::String)) {
    return wrong_value(runtime, "could not convert string to float: " + runtime.repr(value));
  }
  if (!bytes) {
    const std::string type(runtime.type_name(value));
    return wrong_type(runtime, "float() argument must be a string or a real number, not '" + type + "'");
  }
  const double base = *binary ? 1024 : 1000;
  if (*bytes == 1) return runtime.string("1 Byte");
  if (*bytes < base) {
    if (std::isinf(*bytes)) return runtime.fail(diag::number_too_large, "cannot convert float infinity to integer");
    return runtime.string(runtime.str(*to_whole(runtime, *bytes)) + " Bytes");
  }
  std::size_t prefix = 0;
  while (prefix + 1 < kDecimal.size() && !(*bytes < std::pow(base, prefix + 2))) ++prefix;
  const double unit = std::pow(base, prefix + 2);
  const std::string number = python::float_digits(base * *bytes / unit, {'f', 1, false, false});
  return runtime.string(number + " " + std::string((*binary ? kBinary : kDecimal)[prefix]));
}

}  // namespace capwright::jinja
