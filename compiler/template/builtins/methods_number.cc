// Methods of int, bool and float.
#include <array>
#include <bit>
#include <cmath>

#include "diag/catalog.h"
#include "template/builtins/operands.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

std::uint64_t magnitude(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? 0 - bits : bits;
}

// A power of two as Python's int.
BigInteger power_of_two(int exponent) {
  std::vector<std::uint32_t> limbs(static_cast<std::size_t>(exponent / 32 + 1), 0);
  limbs.back() = 1u << (exponent % 32);
  return BigInteger::from_limbs(std::move(limbs), false);
}

}  // namespace

Value int_as_integer_ratio(Runtime& runtime, const BoundArguments& arguments) {
  return runtime.tuple(std::array{Value::integer(arguments[0].as_int()), Value::integer(1)});
}

Value int_bit_count(Runtime&, const BoundArguments& arguments) {
  return Value::integer(std::popcount(magnitude(arguments[0].as_int())));
}

Value int_bit_length(Runtime&, const BoundArguments& arguments) {
  return Value::integer(std::bit_width(magnitude(arguments[0].as_int())));
}

Value number_conjugate(Runtime&, const BoundArguments& arguments) {
  return arguments[0].is(Kind::Bool) ? Value::integer(arguments[0].as_int()) : arguments[0];
}

Value float_as_integer_ratio(Runtime& runtime, const BoundArguments& arguments) {
  const double number = arguments[0].as_float();
  if (std::isnan(number)) return wrong_value(runtime, "cannot convert NaN to integer ratio");
  if (std::isinf(number)) return runtime.fail(diag::number_too_large, "cannot convert Infinity to integer ratio");
  int exponent = 0;
  double fraction = std::frexp(number, &exponent);
  for (; fraction != std::floor(fraction); --exponent) fraction *= 2;
  const BigInteger whole = BigInteger::truncated(fraction);
  const Value parts[] = {exponent > 0 ? runtime.integer(whole * power_of_two(exponent)) : runtime.integer(whole),
                         exponent < 0 ? runtime.integer(power_of_two(-exponent)) : Value::integer(1)};
  return runtime.tuple(parts);
}

Value float_is_integer(Runtime&, const BoundArguments& arguments) {
  const double number = arguments[0].as_float();
  return Value::boolean(std::isfinite(number) && std::floor(number) == number);
}

// As C's %a with 13 digits: 0x1.8000000000000p+1.
Value float_hex(Runtime& runtime, const BoundArguments& arguments) {
  const double number = arguments[0].as_float();
  if (!std::isfinite(number)) return runtime.string(python::float_repr(number));
  if (number == 0.0) return runtime.string(std::signbit(number) ? "-0x0.0p+0" : "0x0.0p+0");
  int exponent = 0;
  double fraction = std::frexp(std::fabs(number), &exponent) * 2;
  --exponent;
  if (exponent < -1022) {
    fraction = std::ldexp(fraction, exponent + 1022);
    exponent = -1022;
  }
  std::string out = std::signbit(number) ? "-0x" : "0x";
  for (int digit = 0; digit < 14; ++digit) {
    const auto value = static_cast<int>(fraction);
    out += "0123456789abcdef"[value];
    if (digit == 0) out += '.';
    fraction = (fraction - value) * 16;
  }
  return runtime.string(out + "p" + (exponent < 0 ? "-" : "+") + std::to_string(std::abs(exponent)));
}

}  // namespace capwright::jinja
