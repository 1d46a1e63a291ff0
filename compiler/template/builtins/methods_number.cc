// Methods of int, bool and float.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "diag/catalog/template_operations.h"
#include "template/builtins/bytes.h"
#include "template/builtins/operands.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

std::uint64_t magnitude(std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  return number < 0 ? 0 - bits : bits;
}

// Whether `order` means that the first byte is the most significant; empty (reported) for an invalid byte order.
std::optional<bool> is_big_endian(Runtime& runtime, const Value& order) {
  const auto name = text_argument(runtime, order, "byteorder");
  if (!name) return std::nullopt;
  if (*name == "big" || *name == "little") return *name == "big";
  wrong_value(runtime, "byteorder must be either 'little' or 'big'");
  return std::nullopt;
}

// A power of two as Python's int.
BigInteger power_of_two(int exponent) {
  std::vector<std::uint32_t> limbs(static_cast<std::size_t>(exponent / 32 + 1), 0);
  limbs.back() = 1u << (exponent % 32);
  return BigInteger::from_limbs(std::move(limbs), false);
}

}  // namespace

Value int_as_integer_ratio(Runtime& runtime, const BoundArguments& arguments) {
  return runtime.tuple(
      std::array{runtime.derived(Value::integer(arguments[0].as_int()), arguments[0]), Value::integer(1)});
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

Value int_to_bytes(Runtime& runtime, const BoundArguments& arguments) {
  const auto length = index_argument(runtime, arguments[1]);
  const auto big_endian = is_big_endian(runtime, arguments[2]);
  const auto is_signed = truth_of(runtime, arguments[3]);
  if (!length || !big_endian || !is_signed) return Value::error();
  if (*length < 0) return wrong_value(runtime, "length argument must be non-negative");
  if (!runtime.room_for_text(static_cast<std::uint64_t>(*length))) return Value::error();
  const std::int64_t number = arguments[0].as_int();
  if (number < 0 && !*is_signed) return runtime.fail(diag::number_too_large, "can't convert negative int to unsigned");
  const auto width = std::bit_width(magnitude(number < 0 ? number + 1 : number));
  const std::int64_t bits = static_cast<std::int64_t>(width) + (*is_signed ? 1 : 0);
  if (*length < 8 && bits > *length * 8) return runtime.fail(diag::number_too_large, "int too big to convert");
  std::string bytes(static_cast<std::size_t>(*length), number < 0 ? '\xff' : '\0');
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 8); ++i) {
    bytes[*big_endian ? bytes.size() - 1 - i : i] = static_cast<char>(number >> (8 * i) & 0xFF);
  }
  return make_bytes(runtime, bytes);
}

Value float_as_integer_ratio(Runtime& runtime, const BoundArguments& arguments) {
  const double number = arguments[0].as_float();
  if (std::isnan(number)) return wrong_value(runtime, "cannot convert NaN to integer ratio");
  if (std::isinf(number)) return runtime.fail(diag::number_too_large, "cannot convert Infinity to integer ratio");
  int exponent = 0;
  double fraction = std::frexp(number, &exponent);
  for (; fraction != std::floor(fraction); --exponent) fraction *= 2;
  const BigInteger whole = BigInteger::truncated(fraction);
  const Value above = exponent > 0 ? runtime.integer(whole * power_of_two(exponent)) : runtime.integer(whole);
  const Value below = exponent < 0 ? runtime.integer(power_of_two(-exponent)) : Value::integer(1);
  const Value parts[] = {runtime.derived(above, arguments[0]), runtime.derived(below, arguments[0])};
  return runtime.tuple(parts);
}

Value float_is_integer(Runtime&, const BoundArguments& arguments) {
  const double number = arguments[0].as_float();
  return Value::boolean(std::isfinite(number) && std::floor(number) == number);
}

// Like C's %a with 13 digits: 0x1.8000000000000p+1.
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
