// The mini-language of Python's format(): parsing, checking, padding, grouping.
#include "text/python_format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <vector>

#include "text/python_text.h"
#include "text/utf8.h"

namespace capwright::python {
namespace {

bool is_one_of(char32_t c, std::string_view set) {
  return c < 0x80 && c != 0 && set.find(static_cast<char>(c)) != std::string_view::npos;
}

// Reads a spec from left to right; each part is optional.
class SpecReader {
 public:
  explicit SpecReader(std::string_view text) : points_(utf8::decode_all(text)) {}

  bool done() const { return at_ == points_.size(); }
  std::size_t left() const { return points_.size() - at_; }
  char32_t next() { return points_[at_++]; }
  char32_t peek(std::size_t ahead = 0) const { return at_ + ahead < points_.size() ? points_[at_ + ahead] : U'\0'; }
  bool take(char c) {
    if (done() || points_[at_] != static_cast<char32_t>(c)) return false;
    ++at_;
    return true;
  }
  // Empty if there is no digit. Sets `fits` to false if the number is too large.
  std::optional<std::uint32_t> number(bool& fits) {
    if (done() || !is_one_of(peek(), "0123456789")) return std::nullopt;
    std::uint64_t value = 0;
    for (; is_one_of(peek(), "0123456789"); ++at_) {
      value = value * 10 + (peek() - '0');
      if (value > 0x7FFFFFFF) fits = false, value = 0;
    }
    return static_cast<std::uint32_t>(value);
  }

 private:
  std::u32string points_;
  std::size_t at_ = 0;
};

constexpr std::string_view kAligns = "<>=^";

void read_alignment(SpecReader& in, FormatSpec& spec, FormatKind kind) {
  bool fill_given = false;
  if (in.left() >= 2 && is_one_of(in.peek(1), kAligns)) {
    spec.fill = in.next();
    spec.align = static_cast<char>(in.next());
    fill_given = true;
  } else if (is_one_of(in.peek(), kAligns)) {
    spec.align = static_cast<char>(in.next());
  }
  if (is_one_of(in.peek(), " +-")) spec.sign = static_cast<char>(in.next());
  spec.no_negative_zero = in.take('z');
  spec.alternate = in.take('#');
  if (!fill_given && in.take('0')) {
    spec.fill = '0';
    if (spec.align == '\0' && kind != FormatKind::Text) spec.align = '=';
  }
}

// The error in the grouping for this type; empty if it is valid.
std::string grouping_fault(const FormatSpec& spec, FormatKind kind) {
  if (spec.grouping == '\0') return {};
  char type = spec.type;
  if (type == '\0') type = kind == FormatKind::Text ? 's' : 'd';
  if (is_one_of(static_cast<char32_t>(type), "deEfFgG%")) return {};
  if (spec.grouping == '_' && is_one_of(static_cast<char32_t>(type), "boxX")) return {};
  return std::string("Cannot specify '") + spec.grouping + "' with '" + type + "'.";
}

std::string kind_fault(const FormatSpec& spec, FormatKind kind, std::string_view type_name) {
  std::string_view types = "eEfFgGn%";
  if (kind == FormatKind::Text) types = "s";
  else if (kind == FormatKind::Integer) types = "bcdoxXneEfFgG%";
  if (spec.type != '\0' && !is_one_of(static_cast<char32_t>(spec.type), types)) {
    return std::string("Unknown format code '") + spec.type + "' for object of type '" + std::string(type_name) + "'";
  }
  if (kind == FormatKind::Text) {
    if (spec.sign != '\0') return "Sign not allowed in string format specifier";
    if (spec.no_negative_zero) return "Negative zero coercion (z) not allowed in string format specifier";
    if (spec.alternate) return "Alternate form (#) not allowed in string format specifier";
    if (spec.align == '=') return "'=' alignment not allowed in string format specifier";
  }
  if (kind == FormatKind::Integer && !spec.wants_float()) {
    if (spec.precision) return "Precision not allowed in integer format specifier";
    if (spec.no_negative_zero) return "Negative zero coercion (z) not allowed in integer format specifier";
    if (spec.type == 'c' && spec.sign != '\0') return "Sign not allowed with integer format specifier 'c'";
    if (spec.type == 'c' && spec.alternate) return "Alternate form (#) not allowed with integer format specifier 'c'";
  }
  return {};
}

// Groups digits, zero-padded to `min_width`. Python groups the padding zeros, too.
std::string group_digits(std::string_view digits, char separator, std::size_t group, std::size_t min_width) {
  if (separator == '\0') {
    const std::size_t zeros = min_width > digits.size() ? min_width - digits.size() : 0;
    return std::string(zeros, '0') + std::string(digits);
  }
  std::string reversed;
  std::size_t in_group = 0;
  for (std::size_t i = digits.size(); i > 0 || reversed.size() < min_width;) {
    if (in_group == group) {
      reversed += separator;
      in_group = 0;
    }
    reversed += i > 0 ? digits[--i] : '0';
    ++in_group;
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

void append_fill(std::string& out, char32_t fill, std::size_t count) {
  std::string one;
  utf8::append(one, fill);
  for (std::size_t i = 0; i < count; ++i) out += one;
}

// A number in its parts: `digits` may be grouped and zero-padded, `tail` is the fraction, exponent or percent sign.
struct NumberParts {
  std::string head;  // sign and base prefix
  std::string_view digits;
  std::string tail;
};

std::string assemble(const NumberParts& parts, const FormatSpec& spec, std::size_t group) {
  const char align = spec.align == '\0' ? '>' : spec.align;
  const std::size_t fixed = parts.head.size() + parts.tail.size();
  const bool zero_padded = spec.fill == '0' && align == '=' && spec.width > fixed;
  const std::size_t min_width = zero_padded ? spec.width - fixed : 0;
  const std::string digits =
      parts.digits.empty() ? std::string() : group_digits(parts.digits, spec.grouping, group, min_width);
  const std::size_t used = utf8::length(parts.tail) + parts.head.size() + utf8::length(digits);
  const std::size_t padding = spec.width > used ? spec.width - used : 0;
  std::size_t left = 0;
  if (align == '>') left = padding;
  else if (align == '^') left = padding / 2;
  std::string out;
  append_fill(out, spec.fill, left);
  out += parts.head;
  if (align == '=') append_fill(out, spec.fill, padding);
  out += digits;
  out += parts.tail;
  if (align == '<' || align == '^') append_fill(out, spec.fill, padding - left);
  return out;
}

std::string sign_text(bool negative, char sign) {
  if (negative) return "-";
  return sign == '-' || sign == '\0' ? std::string() : std::string(1, sign);
}

// Every double has only zeros after this many fraction digits.
constexpr std::uint32_t kMostFractionDigits = 1100;

std::string printed(double magnitude, std::chars_format format, std::uint32_t precision) {
  std::vector<char> buffer(512 + std::min(precision, kMostFractionDigits));
  const int digits = static_cast<int>(std::min(precision, kMostFractionDigits));
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), magnitude, format, digits).ptr;
  return {buffer.data(), end};
}

// digits "12345" with the point after `whole` digits (may be <= 0 or past the end).
std::string place_point(const std::string& digits, int whole) {
  const int count = static_cast<int>(digits.size());
  if (whole <= 0) return "0." + std::string(static_cast<std::size_t>(-whole), '0') + digits;
  if (whole >= count) return digits + std::string(static_cast<std::size_t>(whole - count), '0') + ".";
  return digits.substr(0, static_cast<std::size_t>(whole)) + "." + digits.substr(static_cast<std::size_t>(whole));
}

std::string exponent_text(int exponent) {
  const int size = std::abs(exponent);
  return (exponent < 0 ? "e-" : "e+") + std::string(size < 10 ? "0" : "") + std::to_string(size);
}

std::string general_digits(double magnitude, const FloatStyle& style) {
  const std::uint32_t precision = std::max(style.precision, 1u);
  const std::string text = printed(magnitude, std::chars_format::scientific, precision - 1);
  const std::size_t e = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(), exponent);
  std::string digits = text.substr(0, e);
  std::erase(digits, '.');
  if (!style.alternate) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.empty()) digits = "0";
  } else if (digits.size() < precision) {
    digits.append(precision - digits.size(), '0');
  }
  const std::int64_t limit = std::int64_t{precision} - (style.add_point ? 1 : 0);
  const bool scientific = exponent < -4 || exponent >= limit;
  std::string out = place_point(digits, scientific ? 1 : exponent + 1);
  if (out.back() == '.') {
    if (style.add_point && !scientific) {
      out += '0';
    } else if (!style.alternate) {
      out.pop_back();
    }
  }
  return scientific ? out + exponent_text(exponent) : out;
}

std::string fixed_or_scientific(double magnitude, const FloatStyle& style) {
  const bool scientific = style.type == 'e' || style.type == 'E';
  const auto format = scientific ? std::chars_format::scientific : std::chars_format::fixed;
  std::string out = printed(magnitude, format, style.precision);
  std::string exponent;
  if (scientific) {
    const std::size_t e = out.find('e');
    exponent = out.substr(e);
    out.erase(e);
  }
  if (style.precision > kMostFractionDigits) out.append(style.precision - kMostFractionDigits, '0');
  if (style.precision == 0 && style.alternate) out += '.';
  return out + exponent;
}

std::string upper_ascii(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  return text;
}

}  // namespace

std::optional<FormatSpec> parse_format_spec(std::string_view text, FormatKind kind, std::string_view type_name,
                                            std::string& fault) {
  FormatSpec spec;
  SpecReader in(text);
  read_alignment(in, spec, kind);
  bool fits = true;
  spec.width = in.number(fits).value_or(0);
  if (in.take(',')) spec.grouping = ',';
  if (in.peek() == '_' || (in.peek() == ',' && spec.grouping != '\0')) {
    if (spec.grouping != '\0') {
      fault = "Cannot specify both ',' and '_'.";
      return std::nullopt;
    }
    spec.grouping = static_cast<char>(in.next());
    if (in.peek() == ',') {
      fault = "Cannot specify both ',' and '_'.";
      return std::nullopt;
    }
  }
  if (in.take('.')) {
    spec.precision = in.number(fits);
    if (!spec.precision) {
      fault = "Format specifier missing precision";
      return std::nullopt;
    }
  }
  if (!fits) {
    fault = "Too many decimal digits in format string";
    return std::nullopt;
  }
  if (in.left() > 1) {
    fault = "Invalid format specifier";
    return std::nullopt;
  }
  if (!in.done()) spec.type = in.peek() < 0x80 ? static_cast<char>(in.peek()) : '\x7f';
  fault = grouping_fault(spec, kind);
  if (fault.empty()) fault = kind_fault(spec, kind, type_name);
  if (!fault.empty()) return std::nullopt;
  return spec;
}

std::string format_text(std::string_view text, const FormatSpec& spec) {
  if (spec.precision) text = utf8::slice(text, 0, *spec.precision);
  const std::size_t length = utf8::length(text);
  const std::size_t padding = spec.width > length ? spec.width - length : 0;
  std::size_t left = 0;
  if (spec.align == '>') left = padding;
  else if (spec.align == '^') left = padding / 2;
  std::string out;
  append_fill(out, spec.fill, left);
  out += text;
  append_fill(out, spec.fill, padding - left);
  return out;
}

std::string format_integer(bool negative, std::string_view digits, const FormatSpec& spec) {
  NumberParts parts{sign_text(negative, spec.sign), digits, {}};
  if (spec.type == 'c') return assemble({{}, {}, std::string(digits)}, spec, 3);
  const bool decimal = spec.type == '\0' || spec.type == 'd' || spec.type == 'n';
  if (spec.alternate && !decimal) parts.head.append("0").append(1, spec.type);
  return assemble(parts, spec, decimal ? 3 : 4);
}

std::string format_float(double number, const FormatSpec& spec) {
  if (spec.type == '%') number *= 100;
  double magnitude = std::fabs(number);
  std::string text;
  if (spec.type == '\0' && !spec.precision) {
    text = float_repr(magnitude);
    if (spec.alternate && text.find('.') == std::string::npos && std::isfinite(number)) {
      text.insert(std::min(text.find('e'), text.size()), ".");
    }
  } else {
    FloatStyle style;
    if (spec.type == '%') style.type = 'f';
    else if (spec.type == '\0' || spec.type == 'n') style.type = 'g';
    else style.type = spec.type;
    style.precision = spec.precision.value_or(6);
    style.alternate = spec.alternate;
    style.add_point = spec.type == '\0';
    text = float_digits(magnitude, style);
  }
  const bool shows_zero = text.find_first_of("123456789inIN") >= std::min(text.find_first_of("eE"), text.size());
  const bool negative = std::signbit(number) && !std::isnan(number) && !(spec.no_negative_zero && shows_zero);
  const std::size_t whole = std::min(text.find_first_not_of("0123456789"), text.size());
  NumberParts parts{sign_text(negative, spec.sign), std::string_view(text).substr(0, whole), text.substr(whole)};
  if (spec.type == '%') parts.tail += '%';
  return assemble(parts, spec, 3);
}

std::string float_digits(double magnitude, const FloatStyle& style) {
  const bool upper = style.type >= 'A' && style.type <= 'Z';
  std::string text;
  if (std::isnan(magnitude)) {
    text = "nan";
  } else if (std::isinf(magnitude)) {
    text = "inf";
  } else {
    text = (style.type | 0x20) == 'g' ? general_digits(magnitude, style) : fixed_or_scientific(magnitude, style);
  }
  return upper ? upper_ascii(text) : text;
}

std::string integer_digits(std::uint64_t magnitude, char type) {
  int base = 10;
  if (type == 'b') base = 2;
  else if (type == 'o') base = 8;
  else if ((type | 0x20) == 'x') base = 16;
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, magnitude, base).ptr;
  const std::string text(buffer, end);
  return type == 'X' ? upper_ascii(text) : text;
}

}  // namespace capwright::python
