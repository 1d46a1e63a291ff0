// repr() of scalars and the text forms that int() and float() accept.
#include "text/python_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::python {
namespace {

// Python's sys.int_info.default_max_str_digits: longer text is a ValueError.
constexpr std::size_t kMostDecimalDigits = 4300;

// Digits and exponent of the shortest form: 1.25e+2 is {"125", 2}.
struct Shortest {
  std::string digits;
  int exponent = 0;
};

Shortest shortest(double magnitude) {
  std::array<char, 40> buffer;
  const auto written =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
  const std::size_t e = text.find('e');
  Shortest result;
  for (const char c : text.substr(0, e)) {
    if (c != '.') result.digits += c;
  }
  const std::size_t sign_is_plus = text[e + 1] == '+' ? 1 : 0;
  std::from_chars(text.data() + e + 1 + sign_is_plus, text.data() + text.size(), result.exponent);
  return result;
}

void append_escape(std::string& out, char32_t c) {
  static constexpr char kHex[] = "0123456789abcdef";
  int width = 8;
  if (c < 0x100) width = 2;
  else if (c < 0x10000) width = 4;
  if (c < 0x100) out += "\\x";
  else if (c < 0x10000) out += "\\u";
  else out += "\\U";
  for (int shift = 4 * (width - 1); shift >= 0; shift -= 4) out += kHex[c >> shift & 0xF];
}

// The escapes that str and bytes share; false if `c` has none of them.
bool append_short_escape(std::string& out, char32_t c, char quote) {
  switch (c) {
    case '\n': out += "\\n"; return true;
    case '\r': out += "\\r"; return true;
    case '\t': out += "\\t"; return true;
    case '\\': out += "\\\\"; return true;
    default: break;
  }
  if (c != static_cast<unsigned char>(quote)) return false;
  out += '\\';
  out += quote;
  return true;
}

char quote_for(std::string_view text) {
  return text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos ? '"' : '\'';
}

// Removes surrounding white space and converts the decimal digits of any script to ASCII.
std::string normalized_number(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    const int digit = point.value < 0x80 ? -1 : unicode::decimal_value(point.value);
    if (digit >= 0) {
      out += static_cast<char>('0' + digit);
    } else if (point.value >= 0x80 && unicode::is_space(point.value)) {
      out += ' ';
    } else {
      out += text.substr(i, point.size);
    }
    i += point.size;
  }
  const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); };
  std::size_t begin = 0, end = out.size();
  while (begin < end && is_space(out[begin])) ++begin;
  while (end > begin && is_space(out[end - 1])) --end;
  return out.substr(begin, end - begin);
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

// Removes single underscores between digits; false if an underscore occurs elsewhere.
bool remove_underscores(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
      continue;
    }
    const bool between = i > 0 && i + 1 < text.size() && digit_of(text[i - 1]) < 36 && digit_of(text[i + 1]) < 36;
    if (!between) return false;
  }
  return true;
}

int prefix_base(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 0;
  switch (text[1] | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 0;
  }
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != lower[i]) return false;
  }
  return true;
}

// [digits][.digits][e[+-]digits] with a digit before the exponent: the text without sign and underscores.
bool is_decimal_float(std::string_view text) {
  std::size_t i = 0, digits = 0;
  const auto run = [&] {
    std::size_t count = 0;
    for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) ++count;
    return count;
  };
  digits += run();
  if (i < text.size() && text[i] == '.') {
    ++i;
    digits += run();
  }
  if (digits == 0) return false;
  if (i == text.size()) return true;
  if ((text[i] | 0x20) != 'e') return false;
  ++i;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  return run() > 0 && i == text.size();
}

// float() accepts underscores only between digits ("1_0.0_1", not "1_e5").
bool remove_float_underscores(std::string_view text, std::string& out) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || i + 1 == text.size() || !is_digit(text[i - 1]) || !is_digit(text[i + 1])) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string float_repr(double number) {
  if (std::isnan(number)) return "nan";
  std::string out = std::signbit(number) ? "-" : "";
  if (std::isinf(number)) return out + "inf";
  const auto [digits, exponent] = shortest(std::fabs(number));
  const int count = static_cast<int>(digits.size());
  if (exponent < -4 || exponent >= 16) {
    out += digits[0];
    if (count > 1) out.append(".").append(digits, 1);
    const int size = std::abs(exponent);
    return out + (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + std::to_string(size);
  }
  if (exponent < 0) return out + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  if (count <= exponent + 1)
    return out + digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0') + ".0";
  const auto whole = static_cast<std::size_t>(exponent + 1);
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

void append_string_repr(std::string& out, std::string_view text) {
  const char quote = quote_for(text);
  out += quote;
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    if (append_short_escape(out, point.value, quote)) {
      // written
    } else if (unicode::is_printable(point.value)) {
      out += text.substr(i, point.size);
    } else {
      append_escape(out, point.value);
    }
    i += point.size;
  }
  out += quote;
}

std::string string_repr(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_string_repr(out, text);
  return out;
}

std::string bytes_repr(std::string_view bytes) {
  const char quote = quote_for(bytes);
  std::string out = "b";
  out += quote;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (append_short_escape(out, byte, quote)) continue;
    if (byte >= 0x20 && byte < 0x7F) {
      out += c;
    } else {
      append_escape(out, byte);
    }
  }
  return out + quote;
}

std::optional<std::int64_t> IntText::value() const {
  std::uint64_t magnitude = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), magnitude, base);
  if (parsed.ec != std::errc{}) return std::nullopt;
  constexpr std::uint64_t kLimit = std::uint64_t{1} << 63;
  if (magnitude > kLimit || (magnitude == kLimit && !negative)) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

std::optional<IntText> parse_int(std::string_view text, int base) {
  const std::string trimmed = normalized_number(text);
  std::string_view rest = trimmed;
  IntText result;
  if (!rest.empty() && (rest[0] == '+' || rest[0] == '-')) {
    result.negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  const int prefix = prefix_base(rest);
  const bool guess = base == 0;
  if (prefix != 0 && (guess || base == prefix)) {
    base = prefix;
    rest.remove_prefix(2);
    if (rest.starts_with('_')) rest.remove_prefix(1);
  }
  if (base == 0) base = 10;
  std::string digits;
  if (rest.empty() || !remove_underscores(rest, digits)) return std::nullopt;
  for (const char c : digits) {
    if (digit_of(c) >= base) return std::nullopt;
  }
  const bool power_of_two = (base & (base - 1)) == 0;
  if (!power_of_two && digits.size() > kMostDecimalDigits) return std::nullopt;
  const std::size_t first = digits.find_first_not_of('0');
  if (guess && prefix == 0 && digits[0] == '0' && first != std::string::npos) return std::nullopt;  // int("017", 0)
  result.base = base;
  result.digits = first == std::string::npos ? "0" : digits.substr(first);
  return result;
}

// Whether a number that doesn't fit a double overflows instead of underflowing.
bool is_above_one(std::string_view digits) {
  const std::size_t mark = std::min(digits.find_first_of("eE"), digits.size());
  const std::string_view mantissa = digits.substr(0, mark);
  std::string_view exponent_text = mark == digits.size() ? "0" : digits.substr(mark + 1);
  if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto parsed = std::from_chars(exponent_text.data(), exponent_text.data() + exponent_text.size(), exponent);
  if (parsed.ec == std::errc::result_out_of_range) return !exponent_text.starts_with('-');
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<std::int64_t>(std::min(mantissa.find_first_of("123456789"), mantissa.size()));
  return point - first + exponent > 0;
}

std::optional<double> parse_float(std::string_view text) {
  const std::string trimmed = normalized_number(text);
  std::string_view rest = trimmed;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  const double sign = negative ? -1.0 : 1.0;
  if (equals_ignoring_case(rest, "inf") || equals_ignoring_case(rest, "infinity")) return sign * HUGE_VAL;
  if (equals_ignoring_case(rest, "nan")) return std::copysign(std::nan(""), sign);
  std::string digits;
  if (!remove_float_underscores(rest, digits) || !is_decimal_float(digits)) return std::nullopt;
  double value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  // from_chars reports overflow and underflow alike; Python gives inf or 0.
  if (parsed.ec == std::errc::result_out_of_range) value = is_above_one(digits) ? HUGE_VAL : 0.0;
  return sign * value;
}

}  // namespace capwright::python
