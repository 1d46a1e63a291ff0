// Schoolbook arithmetic on 32-bit limbs. The evaluator bounds the size, so faster algorithms aren't needed.
#include "template/runtime/big_integer.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace capwright::jinja {
namespace {

using Limbs = std::vector<std::uint32_t>;

std::strong_ordering compare_magnitude(const Limbs& a, const Limbs& b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return std::lexicographical_compare_three_way(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

Limbs add_magnitude(const Limbs& a, const Limbs& b) {
  Limbs sum;
  sum.reserve(std::max(a.size(), b.size()) + 1);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < a.size() || i < b.size(); ++i) {
    carry += std::uint64_t{i < a.size() ? a[i] : 0} + (i < b.size() ? b[i] : 0);
    sum.push_back(static_cast<std::uint32_t>(carry));
    carry >>= 32;
  }
  if (carry != 0) sum.push_back(static_cast<std::uint32_t>(carry));
  return sum;
}

// `a` must not be smaller than `b`.
Limbs subtract_magnitude(const Limbs& a, const Limbs& b) {
  Limbs difference;
  difference.reserve(a.size());
  std::int64_t borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::int64_t limb = std::int64_t{a[i]} - (i < b.size() ? b[i] : 0) - borrow;
    borrow = limb < 0 ? 1 : 0;
    difference.push_back(static_cast<std::uint32_t>(limb));
  }
  return difference;
}

// u[j … j + n] -= guess * v; true if that went below zero, so that the guess was too large.
bool subtract_multiple(Limbs& u, const Limbs& v, std::size_t j, std::uint64_t guess) {
  std::int64_t borrow = 0;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    carry += guess * v[i];
    const std::int64_t limb = std::int64_t{u[i + j]} - static_cast<std::uint32_t>(carry) + borrow;
    u[i + j] = static_cast<std::uint32_t>(limb);
    borrow = limb >> 32;
    carry >>= 32;
  }
  const std::int64_t limb = std::int64_t{u[j + v.size()]} - static_cast<std::int64_t>(carry) + borrow;
  u[j + v.size()] = static_cast<std::uint32_t>(limb);
  return limb < 0;
}

// u[j … j + n] += v; true if the sum passed zero again.
bool add_back(Limbs& u, const Limbs& v, std::size_t j) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    sum += std::uint64_t{u[i + j]} + v[i];
    u[i + j] = static_cast<std::uint32_t>(sum);
    sum >>= 32;
  }
  sum += u[j + v.size()];
  u[j + v.size()] = static_cast<std::uint32_t>(sum);
  return sum >> 32 != 0;
}

// Knuth's algorithm D: the digits of u / v; `u` becomes the remainder. `v` has its top bit set and at least two limbs.
Limbs divide_in_place(Limbs& u, const Limbs& v) {
  u.push_back(0);
  const std::size_t n = v.size();
  Limbs digits(u.size() - n, 0);
  for (std::size_t j = digits.size(); j-- > 0;) {
    const std::uint64_t top = std::uint64_t{u[j + n]} << 32 | u[j + n - 1];
    std::uint64_t guess = std::min<std::uint64_t>(top / v[n - 1], 0xffffffffu);
    if (subtract_multiple(u, v, j, guess)) {
      do --guess;
      while (!add_back(u, v, j));
    }
    digits[j] = static_cast<std::uint32_t>(guess);
  }
  return digits;
}

void shift_right(Limbs& limbs, std::uint32_t bits) {
  if (bits == 0) return;
  std::uint32_t above = 0;
  for (std::size_t i = limbs.size(); i-- > 0;) {
    const std::uint32_t limb = limbs[i];
    limbs[i] = limb >> bits | above << (32 - bits);
    above = limb;
  }
}

}  // namespace

BigInteger::BigInteger(std::int64_t value) : negative_(value < 0) {
  auto magnitude = negative_ ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  for (; magnitude != 0; magnitude >>= 32) limbs_.push_back(static_cast<std::uint32_t>(magnitude));
}

BigInteger BigInteger::from_limbs(std::vector<std::uint32_t> limbs, bool negative) {
  BigInteger number;
  number.limbs_ = std::move(limbs);
  number.negative_ = negative;
  number.trim();
  return number;
}

BigInteger BigInteger::from_digits(std::string_view digits, int base, bool negative) {
  BigInteger number;
  const auto one = static_cast<std::uint32_t>(base);
  std::uint32_t scale = 1, group = 0;  // as many digits at once as fit a limb
  for (const char c : digits) {
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    group = group * one + static_cast<std::uint32_t>(digit);
    scale *= one;
    if (scale <= UINT32_MAX / one) continue;
    number.multiply_add_small(scale, group);
    scale = 1;
    group = 0;
  }
  number.multiply_add_small(scale, group);
  number.negative_ = negative;
  number.trim();
  return number;
}

BigInteger BigInteger::truncated(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(std::trunc(value)), &exponent);  // in [0.5, 1)
  BigInteger number(static_cast<std::int64_t>(std::ldexp(fraction, 53)));
  if (exponent >= 53) {
    number.shift_left(static_cast<std::uint64_t>(exponent - 53));
  } else {
    number = BigInteger(static_cast<std::int64_t>(std::fabs(std::trunc(value))));
  }
  number.negative_ = value < 0;
  number.trim();
  return number;
}

void BigInteger::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
  if (limbs_.empty()) negative_ = false;
}

std::uint64_t BigInteger::bits() const {
  if (limbs_.empty()) return 0;
  return (limbs_.size() - 1) * 32 + static_cast<std::uint64_t>(std::bit_width(limbs_.back()));
}

bool BigInteger::bit(std::uint64_t index) const {
  return index / 32 < limbs_.size() && (limbs_[index / 32] >> (index % 32) & 1u) != 0;
}

std::optional<std::int64_t> BigInteger::to_int64() const {
  if (limbs_.size() > 2) return std::nullopt;
  std::uint64_t magnitude = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) magnitude = magnitude << 32 | limbs_[i];
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 63;
  if (magnitude > kLargest || (magnitude == kLargest && !negative_)) return std::nullopt;
  return static_cast<std::int64_t>(negative_ ? 0 - magnitude : magnitude);
}

double BigInteger::to_double() const { return true_divide(*this, BigInteger(1)); }

std::string BigInteger::to_string() const {
  if (limbs_.empty()) return "0";
  constexpr std::uint32_t kBillion = 1'000'000'000;
  std::string text;
  BigInteger rest = *this;
  while (!rest.limbs_.empty()) {
    std::uint32_t group = rest.divide_small(kBillion);
    for (int i = 0; i < 9 && (group != 0 || !rest.limbs_.empty()); ++i, group /= 10) {
      text.push_back(static_cast<char>('0' + group % 10));
    }
  }
  if (negative_) text.push_back('-');
  std::reverse(text.begin(), text.end());
  return text;
}

BigInteger BigInteger::operator-() const { return from_limbs(limbs_, !negative_); }

BigInteger operator+(const BigInteger& a, const BigInteger& b) {
  if (a.negative_ == b.negative_) return BigInteger::from_limbs(add_magnitude(a.limbs_, b.limbs_), a.negative_);
  if (compare_magnitude(a.limbs_, b.limbs_) < 0) {
    return BigInteger::from_limbs(subtract_magnitude(b.limbs_, a.limbs_), b.negative_);
  }
  return BigInteger::from_limbs(subtract_magnitude(a.limbs_, b.limbs_), a.negative_);
}

BigInteger operator*(const BigInteger& a, const BigInteger& b) {
  Limbs product(a.limbs_.size() + b.limbs_.size(), 0);
  for (std::size_t i = 0; i < a.limbs_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.limbs_.size(); ++j) {
      carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j] + product[i + j];
      product[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[i + b.limbs_.size()] = static_cast<std::uint32_t>(carry);
  }
  return BigInteger::from_limbs(std::move(product), a.negative_ != b.negative_);
}

void BigInteger::multiply_add_small(std::uint32_t factor, std::uint32_t summand) {
  std::uint64_t carry = summand;
  for (std::uint32_t& limb : limbs_) {
    carry += std::uint64_t{limb} * factor;
    limb = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
}

std::uint32_t BigInteger::divide_small(std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    rest = rest << 32 | limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  trim();
  return static_cast<std::uint32_t>(rest);
}

void BigInteger::shift_left(std::uint64_t bits) {
  if (limbs_.empty()) return;
  const std::uint32_t within = bits % 32;
  if (within != 0) {
    multiply_add_small(1u << within, 0);
  }
  limbs_.insert(limbs_.begin(), static_cast<std::size_t>(bits / 32), 0u);
}

void BigInteger::floor_divide(const BigInteger& a, const BigInteger& b, BigInteger& quotient, BigInteger& remainder) {
  BigInteger rest = from_limbs(a.limbs_, false);
  BigInteger divisor = from_limbs(b.limbs_, false);
  Limbs digits;
  if (divisor.limbs_.size() == 1) {
    const std::uint32_t left = rest.divide_small(divisor.limbs_[0]);
    digits = rest.limbs_;
    rest = BigInteger(left);
  } else if (compare_magnitude(rest.limbs_, divisor.limbs_) >= 0) {
    const auto shift = static_cast<std::uint32_t>(std::countl_zero(divisor.limbs_.back()));
    divisor.shift_left(shift);
    rest.shift_left(shift);
    digits = divide_in_place(rest.limbs_, divisor.limbs_);
    shift_right(rest.limbs_, shift);
    rest.trim();
  }
  quotient = from_limbs(std::move(digits), a.negative_ != b.negative_);
  remainder = from_limbs(rest.limbs_, a.negative_);
  if (!remainder.is_zero() && a.negative_ != b.negative_) {
    quotient = quotient + BigInteger(-1);
    remainder = remainder + b;
  }
}

double BigInteger::true_divide(const BigInteger& a, const BigInteger& b) {
  if (a.is_zero()) return b.negative_ ? -0.0 : 0.0;
  // Scales so that the quotient has 55 or 56 bits: 53 of the result, one for rounding, and the rest as a sticky bit.
  const auto exponent = static_cast<std::int64_t>(a.bits()) - static_cast<std::int64_t>(b.bits()) - 55;
  BigInteger top = from_limbs(a.limbs_, false);
  BigInteger bottom = from_limbs(b.limbs_, false);
  (exponent < 0 ? top : bottom).shift_left(static_cast<std::uint64_t>(exponent < 0 ? -exponent : exponent));
  BigInteger quotient;
  BigInteger rest;
  floor_divide(top, bottom, quotient, rest);
  std::int64_t mantissa = *quotient.to_int64();
  if (!rest.is_zero()) mantissa |= 1;
  // A conversion of more than 53 bits rounds to even, and the sticky bit keeps halves from looking exact.
  const double magnitude =
      std::ldexp(static_cast<double>(mantissa), static_cast<int>(std::clamp<std::int64_t>(exponent, -4000, 4000)));
  return a.negative_ != b.negative_ ? -magnitude : magnitude;
}

std::strong_ordering operator<=>(const BigInteger& a, const BigInteger& b) {
  if (a.negative_ != b.negative_) return a.negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  const auto magnitudes = compare_magnitude(a.limbs_, b.limbs_);
  return a.negative_ ? 0 <=> magnitudes : magnitudes;
}

}  // namespace capwright::jinja
