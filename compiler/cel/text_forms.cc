// Go's text forms of numbers, strings and bytes.
#include "cel/text_forms.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "base/ascii.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

bool is_lower_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

// Underscores are allowed between digits, and after a base prefix; false if one occurs elsewhere.
bool drop_underscores(std::string& text, bool hexadecimal) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain += text[i];
      continue;
    }
    const auto digit = [&](std::size_t at) {
      return at < text.size() &&
             (hexadecimal ? is_lower_hex_digit(text[at]) || (at == 1 && text[at] == 'x') : is_digit(text[at]));
    };
    if (i == 0 || !digit(i - 1) || !digit(i + 1)) return false;
  }
  text = plain;
  return true;
}

std::optional<double> read_float(std::string_view text, std::chars_format format) {
  // from_chars would accept a second sign.
  if (text.empty() || text[0] == '-' || text[0] == '+') return std::nullopt;
  double number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number, format);
  if (read.ptr != text.data() + text.size()) return std::nullopt;
  if (read.ec == std::errc()) return number;
  // In Go a too small number is zero and a too large one is an error: the sign of the exponent decides.
  const std::size_t exponent = text.find_first_of(format == std::chars_format::hex ? "p" : "e");
  const bool small = exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
  return read.ec == std::errc::result_out_of_range && small ? std::optional(0.0) : std::nullopt;
}

void append_escaped(std::string& out, char32_t c) {
  constexpr std::string_view kFrom = "\a\b\f\n\r\t\v\\\"", kTo = "abfnrtv\\\"";
  const std::size_t at = c < 0x80 ? kFrom.find(static_cast<char>(c)) : std::string_view::npos;
  if (at != std::string_view::npos) out += {'\\', kTo[at]};
  else if (unicode::is_printable(c)) utf8::append(out, c);
  else if (c < 0x80) out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
  else if (c < 0x10000) out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  else out += fmt::format("\\U{:08x}", static_cast<unsigned>(c));
}

}  // namespace

std::string double_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  char buffer[400];
  char* end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::scientific).ptr;
  const std::string scientific(buffer, end);
  const std::size_t e = scientific.find('e');
  int exponent = 0;
  std::from_chars(scientific.data() + e + (scientific[e + 1] == '+' ? 2 : 1), scientific.data() + scientific.size(),
                  exponent);
  if (number != 0 && (exponent < -4 || exponent >= 6)) return scientific;
  end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed).ptr;
  return {buffer, end};
}

std::optional<double> parse_double(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string lower = lowered(text);
  std::optional<double> number;
  if (lower == "inf" || lower == "infinity") number = HUGE_VAL;
  else if (lower == "nan") number = std::nan("");
  else if (lower.find_first_not_of("0123456789abcdefpx._+-") != std::string::npos) return std::nullopt;
  else if (lower.starts_with("0x")) {
    // Go requires an exponent in a hexadecimal number.
    if (!drop_underscores(lower, true) || lower.find('p') == std::string::npos) return std::nullopt;
    number = read_float(std::string_view(lower).substr(2), std::chars_format::hex);
  } else if (drop_underscores(lower, false)) {
    number = read_float(lower, std::chars_format::general);
  }
  if (number && negative) number = -*number;
  return number;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, at);
    const bool invalid = point.value == 0xfffd && point.size == 1;
    if (invalid) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    else append_escaped(out, point.value);
    at += point.size;
  }
  return out + "\"";
}

}  // namespace capwright::cel
