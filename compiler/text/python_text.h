// How Python writes and reads scalars, and HTML: repr() of floats, strings and bytes, int() and float() of text, and
// what its html module and MarkupSafe do with markup.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::python {

// repr(float): the shortest digits that parse back to the same value, "1e+16", "1000000000000000.0", "nan", "-inf".
std::string float_repr(double);

// repr(str): single quotes unless the text has single and no double quotes; escapes unprintable characters.
void append_string_repr(std::string& out, std::string_view text);
std::string string_repr(std::string_view text);
// repr(bytes): b'…' with everything outside printable ASCII as \xNN.
std::string bytes_repr(std::string_view bytes);

// The syntax of int(text, base): surrounding white space, sign, prefix, digits with single underscores between them,
// decimal digits of any script. `digits` are ASCII in `base` (2 to 36), without sign, prefix and leading zeros ("0" for
// zero), so that numbers above 64 bits are kept. Empty if Python raises ValueError. `base` 0 reads the prefix.
struct IntText {
  bool negative = false;
  int base = 10;
  std::string digits;
  // The value in 64 bits; empty if the number is larger.
  std::optional<std::int64_t> value() const;
};
std::optional<IntText> parse_int(std::string_view text, int base = 10);

// The value of float(text), including "inf", "nan" and underscores; empty if Python raises ValueError.
std::optional<double> parse_float(std::string_view text);

// html.unescape(): named, decimal and hexadecimal references, with HTML 5's rules for invalid ones.
std::string html_unescape(std::string_view text);

// Markup.striptags(): removes comments and tags, collapses runs of white space, resolves references.
std::string strip_tags(std::string_view text);

}  // namespace capwright::python
