// Compares floats as the shortest decimal numbers that parse back to the same value: the numbers as users write them.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string>

#include "schema/equality.h"

namespace capwright::schema {
namespace {

std::partial_ordering compare_int_float(std::int64_t i, double f) {
  if (std::isnan(f)) return std::partial_ordering::unordered;
  if (f >= 0x1p63) return std::partial_ordering::less;
  if (f < -0x1p63) return std::partial_ordering::greater;
  const double whole = std::trunc(f);
  const auto as_int = static_cast<std::int64_t>(whole);
  if (i != as_int) return i < as_int ? std::partial_ordering::less : std::partial_ordering::greater;
  return 0.0 <=> (f - whole);
}

// digits × 10^exponent, without a sign.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

Decimal decimal_of(const Value& number) {
  if (number.is(Kind::Int)) {
    const std::int64_t i = number.as_int();
    return {i < 0 ? 0 - static_cast<std::uint64_t>(i) : static_cast<std::uint64_t>(i), 0};
  }
  char text[40];
  const auto written =
      std::to_chars(text, text + sizeof text, std::abs(number.as_float()), std::chars_format::scientific);
  Decimal decimal;
  const char* at = text;
  bool behind_point = false;
  for (; at != written.ptr && *at != 'e'; ++at) {
    if (*at == '.') {
      behind_point = true;
      continue;
    }
    decimal.digits = decimal.digits * 10 + static_cast<std::uint64_t>(*at - '0');
    if (behind_point) --decimal.exponent;
  }
  int power = 0;
  if (at != written.ptr) std::from_chars(at + (at[1] == '+' ? 2 : 1), written.ptr, power);
  decimal.exponent += power;
  return decimal;
}

}  // namespace

std::partial_ordering compare_numbers(const Value& a, const Value& b) {
  if (a.is(Kind::Int) && b.is(Kind::Int)) return a.as_int() <=> b.as_int();
  if (a.is(Kind::Int)) return compare_int_float(a.as_int(), b.as_float());
  if (b.is(Kind::Int)) return 0 <=> compare_int_float(b.as_int(), a.as_float());
  return a.as_float() <=> b.as_float();
}

bool is_whole(const Value& number) {
  if (number.is(Kind::Int)) return true;
  return number.is(Kind::Float) && std::isfinite(number.as_float()) &&
         std::trunc(number.as_float()) == number.as_float();
}

bool is_multiple(const Value& number, const Value& unit) {
  if (number.is(Kind::Int) && unit.is(Kind::Int)) return number.as_int() % unit.as_int() == 0;
  if (number.is(Kind::Float) && !std::isfinite(number.as_float())) return false;
  Decimal whole = decimal_of(number), part = decimal_of(unit);
  if (part.digits == 0) return false;
  // Brings both to the smaller exponent. Shortest decimals have at most 19 digits, so each multiplication is checked.
  for (; part.exponent > whole.exponent; --part.exponent) {
    if (part.digits > whole.digits) return whole.digits == 0;
    if (part.digits > UINT64_MAX / 10) return whole.digits == 0;
    part.digits *= 10;
  }
  std::uint64_t rest = whole.digits % part.digits;
  for (; whole.exponent > part.exponent && rest != 0; --whole.exponent) {
    // rest × 10 modulo digits, by additions that can't overflow.
    std::uint64_t sum = 0;
    for (int i = 0; i < 10; ++i) sum = sum >= part.digits - rest ? sum - (part.digits - rest) : sum + rest;
    rest = sum;
  }
  return rest == 0;
}

}  // namespace capwright::schema
