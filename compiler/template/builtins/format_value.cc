// format(value, spec) for one value, and the digits of whole numbers of any size.
#include <algorithm>

#include "template/builtins/operands.h"
#include "template/builtins/str_format.h"
#include "text/python_format.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

using python::FormatKind;
using python::FormatSpec;

// Whether the limits allow the padding and the digits that a spec requests.
bool room_for(Runtime& runtime, const FormatSpec& spec, std::size_t text) {
  return runtime.room_for_text(std::uint64_t{spec.width} * 4 + spec.precision.value_or(0) + text);
}

std::optional<std::string> format_as_float(Runtime& runtime, const Value& value, const FormatSpec& spec) {
  const auto number = number_of(runtime, value);
  if (!number || !room_for(runtime, spec, 400)) return std::nullopt;
  return python::format_float(*number, spec);
}

std::optional<std::string> format_character(Runtime& runtime, const BigInteger& number, const FormatSpec& spec) {
  const auto code = number.to_int64();
  if (!code || *code < 0 || *code > 0x10FFFF) {
    wrong_value(runtime, "%c arg not in range(0x110000)");
    return std::nullopt;
  }
  std::string character;
  utf8::append(character, static_cast<char32_t>(*code));
  return python::format_integer(false, character, spec);
}

std::optional<std::string> format_whole(Runtime& runtime, const Value& value, const FormatSpec& spec) {
  if (spec.wants_float()) return format_as_float(runtime, value, spec);
  const BigInteger number = *runtime.whole(value);
  if (!room_for(runtime, spec, number.bits() * 2)) return std::nullopt;
  if (spec.type == 'c') return format_character(runtime, number, spec);
  const auto digits = whole_digits(runtime, number, spec.type);
  if (!digits) return std::nullopt;
  return python::format_integer(number.is_negative(), *digits, spec);
}

}  // namespace

std::optional<std::string> whole_digits(Runtime& runtime, const BigInteger& number, char type) {
  if (const auto small = number.to_int64()) {
    const auto bits = static_cast<std::uint64_t>(*small);
    return python::integer_digits(*small < 0 ? 0 - bits : bits, type);
  }
  unsigned bits_per_digit = 0;
  if (type == 'b') bits_per_digit = 1;
  else if (type == 'o') bits_per_digit = 3;
  else if ((type | 0x20) == 'x') bits_per_digit = 4;
  if (bits_per_digit == 0) {
    return runtime.decimal(number.is_negative() ? -number : number);
  }
  if (!runtime.step(1 + number.bits() / 64)) return std::nullopt;
  const auto bit = [&](std::uint64_t i) {
    return i / 32 < number.limbs().size() ? number.limbs()[i / 32] >> (i % 32) & 1u : 0u;
  };
  std::string reversed;
  for (std::uint64_t at = 0; at < number.bits(); at += bits_per_digit) {
    unsigned digit = 0;
    for (unsigned i = 0; i < bits_per_digit; ++i) digit |= bit(at + i) << i;
    reversed += (type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef")[digit];
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

std::string ascii_repr(Runtime& runtime, const Value& value) {
  const std::string text = runtime.repr(value);
  static constexpr char kHex[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    i += point.size;
    if (point.value < 0x80) {
      out += static_cast<char>(point.value);
      continue;
    }
    int width = 8;
    if (point.value < 0x100) width = 2;
    else if (point.value < 0x10000) width = 4;
    if (width == 2) out += "\\x";
    else if (width == 4) out += "\\u";
    else out += "\\U";
    for (int shift = 4 * (width - 1); shift >= 0; shift -= 4) out += kHex[point.value >> shift & 0xF];
  }
  return out;
}

std::optional<std::string> format_value(Runtime& runtime, const Value& value, std::string_view text) {
  if (!runtime.usable(value)) return std::nullopt;
  if (text.empty()) {
    const auto failures = runtime.failures();
    std::string plain = runtime.str(value);
    if (runtime.failures() != failures) return std::nullopt;
    return plain;
  }
  const std::string_view type = runtime.type_name(value);
  const bool whole = value.is(Kind::Int) || value.is(Kind::Bool) || (value.is(Kind::Object) && type == "int");
  if (!whole && !value.is(Kind::Float) && !value.is(Kind::String)) {
    wrong_type(runtime, "unsupported format string passed to " + std::string(type) + ".__format__");
    return std::nullopt;
  }
  FormatKind kind = FormatKind::Text;
  if (whole) kind = FormatKind::Integer;
  else if (value.is(Kind::Float)) kind = FormatKind::Float;
  std::string fault;
  const auto spec = python::parse_format_spec(text, kind, type, fault);
  if (!spec) {
    wrong_value(runtime, fault);
    return std::nullopt;
  }
  if (whole) return format_whole(runtime, value, *spec);
  if (kind == FormatKind::Float) return format_as_float(runtime, value, *spec);
  if (!room_for(runtime, *spec, value.text().size())) return std::nullopt;
  return python::format_text(value.text(), *spec);
}

}  // namespace capwright::jinja
