// How Python writes and reads scalars: repr() of floats, strings and bytes, int() and float() of text.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::python {

// repr(float): the shortest digits that read back the same, "1e+16", "1000000000000000.0", "nan", "-inf".
std::string float_repr(double);

// repr(str): single quotes unless the text has some and no double ones; unprintable characters as escapes.
void append_string_repr(std::string& out, std::string_view text);
std::string string_repr(std::string_view text);
// repr(bytes): b'…' with everything outside printable ASCII as \xNN.
std::string bytes_repr(std::string_view bytes);

// What int(text, base) reads: surrounding white space, sign, prefix, digits with single underscores between them,
// any script's decimal digits. `digits` are ASCII in `base` (2 to 36), without sign, prefix and leading zeros ("0" for
// zero), so that numbers above 64 bits are not lost. Nothing when Python raises ValueError. `base` 0 reads the prefix.
struct IntText {
  bool negative = false;
  int base = 10;
  std::string digits;
  // As 64 bits; nothing when the number is larger.
  std::optional<std::int64_t> value() const;
};
std::optional<IntText> parse_int(std::string_view text, int base = 10);

// What float(text) reads, "inf", "nan" and underscores included; nothing when Python raises ValueError.
std::optional<double> parse_float(std::string_view text);

}  // namespace capwright::python
