// Parsing and arithmetic of quantities. k8s.io/apimachinery/pkg/api/resource defines which fit into 64 bits.
#include "cel/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "text/ip_address.h"

namespace capwright::cel {
namespace {

constexpr WideInt kNanos = 1'000'000'000;
constexpr std::int32_t kNanoScale = -9;
constexpr std::size_t kMostSmallDigits = 18;

constexpr WideInt power_of_ten(int exponent) {
  WideInt power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}
constexpr WideInt kMostWide = power_of_ten(37);
// Larger values with a binary suffix are clamped to this.
constexpr WideInt kMostBinary = static_cast<WideInt>(9223372036854775807) * kNanos;

WideInt saturated(WideInt number) { return std::clamp(number, -kMostWide, kMostWide); }

// number times ten to the exponent, at most kMostWide; rounds fractions away from zero. `number` >= 0.
WideInt scaled(WideInt number, int exponent) {
  for (; exponent > 0 && number != 0; --exponent) {
    if (number > kMostWide / 10) return kMostWide;
    number *= 10;
  }
  bool rest = false;
  for (; exponent < 0 && number != 0; ++exponent) {
    rest |= number % 10 != 0;
    number /= 10;
  }
  return number + (rest ? 1 : 0);
}

WideInt signed_scaled(WideInt number, int exponent) {
  return number < 0 ? -scaled(-number, exponent) : scaled(number, exponent);
}

struct Suffix {
  int base = 10;
  int exponent = 0;
};

std::optional<Suffix> read_suffix(std::string_view text) {
  constexpr std::string_view kDecimal = "num kMGTPE";
  constexpr std::string_view kBinary = "KMGTPE";
  if (text.empty()) return Suffix{};
  if (text.size() == 1 && text[0] != ' ') {
    const std::size_t at = kDecimal.find(text[0]);
    if (at == std::string_view::npos) return std::nullopt;
    return Suffix{10, (static_cast<int>(at) - 3) * 3};
  }
  if (text.size() == 2 && text[1] == 'i') {
    const std::size_t at = kBinary.find(text[0]);
    if (at == std::string_view::npos) return std::nullopt;
    return Suffix{2, (static_cast<int>(at) + 1) * 10};
  }
  if (text[0] != 'e' && text[0] != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  int exponent = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || std::abs(exponent) > 1'000'000)
    return std::nullopt;
  return Suffix{10, exponent};
}

std::string_view leading_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string_view digits = text.substr(0, end);
  text.remove_prefix(end);
  return digits;
}

struct Digits {
  bool negative = false;
  std::string all;           // digits before and after the decimal point
  std::size_t fraction = 0;  // the number of digits after the point
  Suffix suffix;

  std::size_t whole() const { return all.size() - fraction; }
};

std::optional<Digits> read_digits(std::string_view text) {
  Digits digits;
  if (text.starts_with('-') || text.starts_with('+')) {
    digits.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  std::string_view whole = leading_digits(text), fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = leading_digits(text);
  }
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  const std::optional<Suffix> suffix = read_suffix(text);
  if (!suffix) return std::nullopt;
  digits.suffix = *suffix;
  digits.all = whole.empty() ? "0" : std::string(whole);
  digits.all += fraction;
  digits.fraction = fraction.size();
  return digits;
}

// The 64-bit form, if the server would use it.
std::optional<Quantity> read_small(const Digits& digits) {
  const int exponent = digits.suffix.exponent;
  std::int64_t factor = 1, value = 0;
  std::int32_t scale = 0;
  if (digits.suffix.base == 10) {
    if (digits.all.size() > kMostSmallDigits) return std::nullopt;
    scale = exponent - static_cast<std::int32_t>(digits.fraction);
  } else {
    const int precision =
        15 - static_cast<int>(digits.whole()) - static_cast<int>(static_cast<float>(exponent) * 3 / 10) - 1;
    if (digits.fraction != 0 || precision < 0) return std::nullopt;
    factor = std::int64_t{1} << exponent;
  }
  if (scale < kNanoScale) return std::nullopt;
  std::from_chars(digits.all.data(), digits.all.data() + digits.all.size(), value);
  if (__builtin_mul_overflow(value, factor, &value)) return std::nullopt;
  if (digits.negative) value = -value;
  return Quantity{true, scale, value, signed_scaled(value, scale - kNanoScale)};
}

Quantity read_large(const Digits& digits) {
  WideInt number = 0;
  std::size_t used = 0;
  for (; used < digits.all.size() && number < kMostWide / 100; ++used) number = number * 10 + (digits.all[used] - '0');
  const bool rest = digits.all.find_first_not_of('0', used) != std::string::npos;
  int exponent = static_cast<int>(digits.all.size() - used) - static_cast<int>(digits.fraction);
  if (digits.suffix.base == 10) exponent += digits.suffix.exponent;
  else if (number <= kMostWide >> digits.suffix.exponent) number <<= digits.suffix.exponent;
  else number = kMostWide;
  WideInt nanos = scaled(number, exponent - kNanoScale) + (rest ? 1 : 0);
  if (digits.suffix.base == 2) nanos = std::min(nanos, kMostBinary);
  return {false, 0, 0, digits.negative ? -nanos : nanos};
}

// value times ten to the exponent (>= 0) in 64 bits.
std::optional<std::int64_t> scale_up(std::int64_t value, std::int32_t exponent) {
  for (; exponent > 0 && value != 0; --exponent) {
    if (__builtin_mul_overflow(value, std::int64_t{10}, &value)) return std::nullopt;
  }
  return value;
}

Quantity large(WideInt nanos) { return {false, 0, 0, saturated(nanos)}; }

}  // namespace

std::optional<Quantity> parse_quantity(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::optional<Digits> digits = read_digits(text);
  if (!digits) return std::nullopt;
  if (std::optional<Quantity> quantity = read_small(*digits)) return quantity;
  return read_large(*digits);
}

Quantity quantity_of(std::int64_t whole) { return {true, 0, whole, static_cast<WideInt>(whole) * kNanos}; }

std::optional<std::int64_t> Quantity::as_integer() const {
  if (!small || scale < 0) return std::nullopt;
  return scale_up(value, scale);
}

double Quantity::as_approximate_float() const {
  if (small) return scale == 0 ? static_cast<double>(value) : static_cast<double>(value) * std::pow(10.0, scale);
  return static_cast<double>(nanos) / 1e9;
}

int compare(const Quantity& a, const Quantity& b) {
  if (a.nanos < b.nanos) return -1;
  if (a.nanos > b.nanos) return 1;
  return 0;
}

Quantity add(const Quantity& a, const Quantity& b) {
  const WideInt nanos = saturated(a.nanos + b.nanos);
  if (!a.small || !b.small) return a.nanos == 0 ? b : large(nanos);
  if (b.value == 0) return a;
  if (a.value == 0) return b;
  const std::int32_t scale = std::min(a.scale, b.scale);
  const auto x = scale_up(a.value, a.scale - scale), y = scale_up(b.value, b.scale - scale);
  std::int64_t sum = 0;
  if (!x || !y || __builtin_add_overflow(*x, *y, &sum)) return large(nanos);
  return {true, scale, sum, nanos};
}

Quantity subtract(const Quantity& a, const Quantity& b) {
  Quantity negated = b;
  negated.nanos = -b.nanos;
  if (__builtin_sub_overflow(std::int64_t{0}, b.value, &negated.value)) negated.small = false;
  return add(a, negated);
}

std::string to_text(const Quantity& quantity) {
  const WideInt magnitude = quantity.nanos < 0 ? -quantity.nanos : quantity.nanos;
  std::string text = quantity.nanos < 0 ? "-" : "";
  text += ip::to_decimal(static_cast<ip::Number>(magnitude / kNanos));
  std::string fraction = ip::to_decimal(static_cast<ip::Number>(magnitude % kNanos + kNanos)).substr(1);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return fraction.empty() ? text : text + "." + fraction;
}

}  // namespace capwright::cel
