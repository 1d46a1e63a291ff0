// Filters between byte counts and readable sizes: `human_readable` and `human_to_bytes`.
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "template/runtime/objects.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

// Unit number i is 1024^i bytes.
constexpr std::string_view kUnits = "BKMGTPEZY";
constexpr std::string_view kUnitNames[] = {"byte",     "kilobyte", "megabyte",  "gigabyte", "terabyte",
                                           "petabyte", "exabyte",  "zettabyte", "yottabyte"};
constexpr std::string_view kBitNames[] = {"bit",     "kilobit", "megabit",  "gigabit", "terabit",
                                          "petabit", "exabit",  "zettabit", "yottabit"};

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_size_letter(char c) { return upper(c) >= 'A' && upper(c) <= 'Z'; }

// "2.5 GB", split into parts.
struct Size {
  double number = 0;
  std::string_view unit;  // empty: none
};

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\n\r\v\f", at), text.size());
}

// [digits][.]digits, white space, letters, white space.
std::optional<Size> parse_size(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) {
    ++end;
    while (end < text.size() && is_digit(text[end])) ++end;
  }
  const auto number = python::parse_float(text.substr(0, end));
  if (!number) return std::nullopt;
  const std::size_t unit = skip_spaces(text, end);
  std::size_t unit_end = unit;
  while (unit_end < text.size() && is_size_letter(text[unit_end])) ++unit_end;
  if (skip_spaces(text, unit_end) != text.size()) return std::nullopt;
  return Size{*number, text.substr(unit, unit_end - unit)};
}

// Whether a unit of several letters is spelled correctly: `MB` or `megabyte`, with `b` and `bit` for bits.
bool is_spelled_right(std::string_view unit, std::size_t power, bool bits) {
  std::string lowered(unit);
  for (char& c : lowered) c = lower(c);
  if (lowered == (bits ? kBitNames : kUnitNames)[power]) return true;
  const char letter = bits ? 'b' : 'B';
  return unit == (power == 0 ? std::string{letter} : std::string{kUnits[power], letter});
}

// The power of 1024 of a unit.
std::optional<std::size_t> power_of(std::string_view unit, bool bits) {
  const std::size_t power = kUnits.find(upper(unit[0]));
  if (power == std::string_view::npos) return std::nullopt;
  if (unit.size() > 1 && !is_spelled_right(unit, power, bits)) return std::nullopt;
  return power;
}

Value rounded(Runtime& runtime, double number) {
  return runtime.integer(BigInteger::truncated(std::nearbyint(number)));
}

Value not_a_size(Runtime& runtime, const Value& text, bool bits) {
  if (Diagnostic* fault = runtime.report(diag::not_a_size, runtime.here, extras::shown(text))) {
    fault->note(bits ? "expected a number, optionally with a unit of bits, such as `10`, `10M` or `10 Mb`"
                     : "expected a number, optionally with a unit of bytes, such as `10`, `10M` or `10 MB`");
  }
  return Value::error();
}

// Whether a size reaches 1024^power; exact where a double isn't.
bool reaches(const Value& size, double number, std::size_t power) {
  if (size.is(Kind::Int) && power <= 6) return size.as_int() >= std::int64_t{1} << (10 * power);
  return number >= std::ldexp(1.0, static_cast<int>(10 * power));
}

}  // namespace

Value human_readable_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& size = arguments[0];
  if (!is_number(size)) return extras::needs(runtime, "human_readable", "a number", size);
  const auto number = number_of(runtime, size);
  const auto bits = number ? truth_of(runtime, arguments[1]) : std::nullopt;
  const Value unit = arguments[2].is(Kind::Null) ? arguments[2] : text_of(runtime, arguments[2]);
  if (!bits || unit.is_error()) return Value::error();
  std::size_t power = kUnits.size() - 1;
  const auto fits = [&] {
    if (unit.is(Kind::Null)) return reaches(size, *number, power);
    return unit.text().size() == 1 && upper(unit.text()[0]) == kUnits[power];
  };
  while (power > 0 && !fits()) --power;
  std::string name = *bits ? "bits" : "Bytes";
  if (power != 0) name = {kUnits[power], *bits ? 'b' : 'B'};
  return runtime.string(fmt::format("{:.2f} {}", std::ldexp(*number, -static_cast<int>(10 * power)), name));
}

Value human_to_bytes_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value text = text_of(runtime, arguments[0]);
  const auto bits = text.is_error() ? std::nullopt : truth_of(runtime, arguments[2]);
  const Value fallback = arguments[1].is(Kind::Null) ? runtime.string("") : text_of(runtime, arguments[1]);
  if (!bits || fallback.is_error()) return Value::error();
  const auto size = parse_size(text.text());
  if (!size) return not_a_size(runtime, text, *bits);
  const std::string_view unit = size->unit.empty() ? fallback.text() : size->unit;
  const auto power = unit.empty() ? std::optional<std::size_t>(0) : power_of(unit, *bits);
  const double bytes = power ? std::ldexp(size->number, static_cast<int>(10 * *power)) : 0;
  return power && std::isfinite(bytes) ? rounded(runtime, bytes) : not_a_size(runtime, text, *bits);
}

}  // namespace capwright::jinja
