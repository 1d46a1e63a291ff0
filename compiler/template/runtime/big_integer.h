// Whole numbers of any size, like Python's int: only for values beyond 64 bits, so schoolbook arithmetic suffices.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::jinja {

// Larger numbers are rejected: they couldn't be printed, and would take more and more time.
inline constexpr std::uint64_t kMostBits = 1u << 16;

class BigInteger {
 public:
  BigInteger() = default;
  BigInteger(std::int64_t value);
  // `digits` in `base` (2 to 36), lower or upper case, no sign, no prefix.
  static BigInteger from_digits(std::string_view digits, int base, bool negative);
  // The whole part of a finite number.
  static BigInteger truncated(double value);

  bool is_zero() const { return limbs_.empty(); }
  bool is_negative() const { return negative_; }
  std::uint64_t bits() const;  // of the magnitude
  std::optional<std::int64_t> to_int64() const;
  // The nearest double, halves to even; infinite when out of range.
  double to_double() const;
  std::string to_string() const;  // decimal

  BigInteger operator-() const;
  friend BigInteger operator+(const BigInteger&, const BigInteger&);
  friend BigInteger operator-(const BigInteger& a, const BigInteger& b) { return a + -b; }
  friend BigInteger operator*(const BigInteger&, const BigInteger&);
  // Towards minus infinity; the remainder has the divisor's sign. The divisor must not be zero.
  static void floor_divide(const BigInteger& a, const BigInteger& b, BigInteger& quotient, BigInteger& remainder);
  // The double nearest to a / b. The divisor must not be zero.
  static double true_divide(const BigInteger& a, const BigInteger& b);
  friend std::strong_ordering operator<=>(const BigInteger&, const BigInteger&);
  friend bool operator==(const BigInteger&, const BigInteger&) = default;

  // The form in the arena: 32-bit digits, least significant first.
  const std::vector<std::uint32_t>& limbs() const { return limbs_; }
  static BigInteger from_limbs(std::vector<std::uint32_t> limbs, bool negative);

 private:
  void trim();
  void shift_left(std::uint64_t bits);
  std::uint32_t divide_small(std::uint32_t divisor);  // magnitude only; returns the remainder
  void multiply_add_small(std::uint32_t factor, std::uint32_t summand);
  bool bit(std::uint64_t index) const;

  std::vector<std::uint32_t> limbs_;  // no leading zeros; zero is empty and not negative
  bool negative_ = false;
};

}  // namespace capwright::jinja
