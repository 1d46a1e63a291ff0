// Python's format() mini-language for text and numbers, without field look-up: `[[fill]align][sign][z][#][0]
// [width][grouping][.precision][type]`. The `%` operator uses the same number formats.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::python {

enum class FormatKind : std::uint8_t { Text, Integer, Float };

struct FormatSpec {
  char32_t fill = ' ';
  char align = '\0';  // < > ^ =; '\0': text to the left, numbers to the right
  char sign = '\0';   // + - or space; '\0': none given, the same as '-'
  bool no_negative_zero = false;
  bool alternate = false;
  char grouping = '\0';  // ',' or '_'
  std::uint32_t width = 0;
  std::optional<std::uint32_t> precision;
  char type = '\0';  // as written; '\0': none

  // Whether an integer must be formatted as a float.
  bool wants_float() const { return std::string_view("eEfFgG%").find(type) != std::string_view::npos && type != '\0'; }
};

// Parses and validates a spec for one kind of value. Empty if it is invalid; then `fault` has Python's error message.
// `type_name` is the value's Python type, for the message.
std::optional<FormatSpec> parse_format_spec(std::string_view spec, FormatKind kind, std::string_view type_name,
                                            std::string& fault);

// These can't fail once the spec is validated. `digits` are the magnitude's, in the base of spec.type. Callers bound
// spec.width and spec.precision first: they determine the length of the result.
std::string format_text(std::string_view text, const FormatSpec& spec);
std::string format_integer(bool negative, std::string_view digits, const FormatSpec& spec);
std::string format_float(double number, const FormatSpec& spec);

// Digits of a finite or infinite magnitude as C's printf types e, f, g (either case) write them, without the sign.
// `add_point`: at least one digit after the point (Python's plain format with a precision).
struct FloatStyle {
  char type = 'g';
  std::uint32_t precision = 6;
  bool alternate = false;
  bool add_point = false;
};
std::string float_digits(double magnitude, const FloatStyle& style);

// Digits of a magnitude in base 2, 8, 10 or 16 (upper case for 'X') for the format type `type`.
std::string integer_digits(std::uint64_t magnitude, char type);

}  // namespace capwright::python
