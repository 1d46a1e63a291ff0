// The grammars of implicit types, written out by hand: they run on every plain scalar.
//   Core        YAML 1.2.2 section 10.3.2
//   Kubernetes  go-yaml v2 resolve.go as sigs.k8s.io/yaml carries it (timestamps stay strings there too)
//   Python      PyYAML 6 resolver.py and constructor.py (timestamps stay strings here)
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/check.h"
#include "yaml/characters.h"
#include "yaml/scalar_text.h"

namespace capwright {
namespace {

using yaml::PythonTag;

constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
constexpr bool is_sign(char c) { return c == '+' || c == '-'; }

template <class Predicate>
std::string_view take(std::string_view& text, Predicate wanted) {
  std::size_t n = 0;
  while (n < text.size() && wanted(text[n])) ++n;
  const std::string_view taken = text.substr(0, n);
  text.remove_prefix(n);
  return taken;
}
bool take_char(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}
bool take_sign(std::string_view& text) {
  if (text.empty() || !is_sign(text[0])) return false;
  text.remove_prefix(1);
  return true;
}

template <class... Words>
constexpr bool is_one_of(std::string_view text, Words... words) {
  constexpr std::size_t kLongestWord = 5;
  return text.size() <= kLongestWord && ((text == words) || ...);
}

bool is_null(std::string_view text) { return is_one_of(text, "", "~", "null", "Null", "NULL"); }

std::optional<bool> core_bool(std::string_view text) {
  if (is_one_of(text, "true", "True", "TRUE")) return true;
  if (is_one_of(text, "false", "False", "FALSE")) return false;
  return std::nullopt;
}
std::optional<bool> old_bool(std::string_view text, bool single_letters) {
  if (is_one_of(text, "yes", "Yes", "YES", "on", "On", "ON")) return true;
  if (is_one_of(text, "no", "No", "NO", "off", "Off", "OFF")) return false;
  if (single_letters && is_one_of(text, "y", "Y")) return true;
  if (single_letters && is_one_of(text, "n", "N")) return false;
  return core_bool(text);
}

// `.inf`, `-.Inf`, `.NAN` …
std::optional<double> named_float(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (is_one_of(text, ".nan", ".NaN", ".NAN")) return std::numeric_limits<double>::quiet_NaN();
  const bool negative = text.starts_with('-');
  take_sign(text);
  if (is_one_of(text, ".inf", ".Inf", ".INF")) return negative ? -kInfinity : kInfinity;
  return std::nullopt;
}

// [-+]? ( \.[0-9]+ | [0-9]+ (\.[0-9]*)? ) ( [eE] [-+]? [0-9]+ )?
bool is_core_float(std::string_view text) {
  take_sign(text);
  const std::string_view whole = take(text, is_digit);
  const bool dot = take_char(text, '.');
  const std::string_view fraction = dot ? take(text, is_digit) : std::string_view();
  if (whole.empty() && fraction.empty()) return false;
  if (take_char(text, 'e') || take_char(text, 'E')) {
    take_sign(text);
    if (take(text, is_digit).empty()) return false;
  }
  return text.empty();
}

double parse_float(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    const bool tiny = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    if (text.starts_with('-')) value = -value;
  }
  return value;
}

// Digits of `base` with an optional sign before them; a Float if they don't fit 64 bits.
Value parse_whole(std::string_view digits, int base, bool negative) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  const std::uint64_t limit = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) + (negative ? 1 : 0);
  if (error == std::errc() && value <= limit) {
    return Value::integer(static_cast<std::int64_t>(negative ? 0 - value : value));
  }
  double wide = 0;
  for (const char c : digits) wide = wide * base + (is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
  if (base == 10) wide = parse_float(digits);
  return Value::floating(negative ? -wide : wide);
}

Value string_result() { return Value::string(nullptr); }

Value resolve_core(std::string_view text) {
  if (const auto b = core_bool(text)) return Value::boolean(*b);
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'o' || text[1] == 'x')) {
    const int base = text[1] == 'o' ? 8 : 16;
    std::string_view rest = text.substr(2);
    const std::string_view digits =
        base == 8 ? take(rest, [](char c) { return c >= '0' && c <= '7'; }) : take(rest, is_hex);
    return rest.empty() && !digits.empty() ? parse_whole(digits, base, false) : string_result();
  }
  std::string_view rest = text;
  const bool negative = text.starts_with('-');
  take_sign(rest);
  const std::string_view digits = take(rest, is_digit);
  if (!digits.empty() && rest.empty()) return parse_whole(digits, 10, negative);
  if (is_core_float(text)) return Value::floating(parse_float(text));
  if (const auto named = named_float(text)) return Value::floating(*named);
  return string_result();
}

std::string without_underscores(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != '_') plain += c;
  }
  return plain;
}

// strconv.ParseInt and ParseUint with base 0: 0x, 0o, 0b and a leading zero choose the base. Empty if neither can parse
// it.
std::optional<Value> go_integer(std::string_view text) {
  bool negative = text.starts_with('-');
  const bool old_binary = text.starts_with("0b");
  take_sign(text);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = static_cast<char>(text[1] | 0x20);
    if (mark == 'x') base = 16;
    else if (mark == 'b') base = 2;
    else base = 8;
    text.remove_prefix(mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1);
  }
  if (old_binary) {  // go-yaml passes the text after `0b` to strconv.ParseInt, which accepts a sign
    negative = text.starts_with('-');
    take_sign(text);
  }
  std::string_view rest = text;
  const std::string_view digits =
      take(rest, [base](char c) { return base == 16 ? is_hex(c) : c >= '0' && c < '0' + base; });
  if (digits.empty() || !rest.empty()) return std::nullopt;
  constexpr std::uint64_t kMostNegative = std::uint64_t{1} << 63;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc() || (negative && value > kMostNegative)) return std::nullopt;
  return parse_whole(digits, base, negative);
}

Value resolve_kubernetes(std::string_view text) {
  if (const auto b = old_bool(text, true)) return Value::boolean(*b);
  if (const auto named = named_float(text)) return Value::floating(*named);
  if (!is_digit(text[0]) && !is_sign(text[0]) && text[0] != '.') return string_result();
  const std::string plain = text[0] == '.' ? std::string(text) : without_underscores(text);
  if (text[0] != '.') {
    if (const auto whole = go_integer(plain)) return *whole;
  }
  if (!is_core_float(plain)) return string_result();
  const double number = parse_float(plain);
  return std::isinf(number) ? string_result() : Value::floating(number);  // strconv.ParseFloat: out of range
}

// `12:30:45` and `12:30:45.5`: base 60. Only for text that python_tag has accepted.
double sexagesimal(std::string_view digits) {
  double value = 0;
  while (true) {
    const std::size_t colon = digits.find(':');
    value = value * 60 + parse_float(digits.substr(0, colon));
    if (colon == std::string_view::npos) return value;
    digits.remove_prefix(colon + 1);
  }
}

Value python_integer(std::string_view text) {
  const std::string plain = without_underscores(text);
  std::string_view digits = plain;
  const bool negative = digits.starts_with('-');
  take_sign(digits);
  if (digits.find(':') != std::string_view::npos) {
    const double value = sexagesimal(digits);
    return Value::integer(static_cast<std::int64_t>(negative ? -value : value));
  }
  if (digits.starts_with("0b")) return parse_whole(digits.substr(2), 2, negative);
  if (digits.starts_with("0x")) return parse_whole(digits.substr(2), 16, negative);
  if (digits.size() > 1 && digits[0] == '0') return parse_whole(digits.substr(1), 8, negative);
  return parse_whole(digits, 10, negative);
}

Value resolve_python(std::string_view text) {
  switch (yaml::python_tag(text)) {
    case PythonTag::Bool: return Value::boolean(*old_bool(text, false));
    case PythonTag::Int: return python_integer(text);
    case PythonTag::Float: {
      if (const auto named = named_float(text)) return Value::floating(*named);
      const std::string plain = without_underscores(text);
      if (plain.find(':') == std::string::npos) return Value::floating(parse_float(plain));
      const bool negative = plain.starts_with('-');
      const double value = sexagesimal(std::string_view(plain).substr(is_sign(plain[0]) ? 1 : 0));
      return Value::floating(negative ? -value : value);
    }
    default: return string_result();
  }
}

bool is_digit_or_low_line(char c) { return is_digit(c) || c == '_'; }

// Matches (:[0-5]?[0-9])+ at the start of `rest`, and removes it.
bool take_sixties(std::string_view& rest) {
  bool any = false;
  while (take_char(rest, ':')) {
    const std::string_view digits = take(rest, is_digit);
    if (digits.empty() || digits.size() > 2 || (digits.size() == 2 && digits[0] > '5')) return false;
    any = true;
  }
  return any;
}

bool is_python_int(std::string_view text) {
  take_sign(text);
  if (text == "0") return true;
  if (text.starts_with("0b") && text.size() > 2) {
    return text.find_first_not_of("01_", 2) == std::string_view::npos;
  }
  if (text.starts_with("0x") && text.size() > 2) {
    text.remove_prefix(2);
    take(text, [](char c) { return is_hex(c) || c == '_'; });
    return text.empty();
  }
  if (text.starts_with('0')) return text.find_first_not_of("01234567_", 1) == std::string_view::npos;
  if (text.empty() || !is_digit(text[0])) return false;
  take(text, is_digit_or_low_line);
  return text.empty() || (take_sixties(text) && text.empty());
}

bool is_python_float(std::string_view text) {
  if (named_float(text)) return text[0] != '+' || text.size() == 5;
  std::string_view rest = text;
  const bool sign = take_sign(rest);
  const bool leading_digit = !rest.empty() && is_digit(rest[0]);
  if (leading_digit) take(rest, is_digit_or_low_line);
  if (leading_digit && rest.starts_with(':')) {
    if (!take_sixties(rest) || !take_char(rest, '.')) return false;
    take(rest, is_digit_or_low_line);
    return rest.empty();
  }
  if (!take_char(rest, '.')) return false;
  if (!leading_digit && (sign || rest.empty() || !is_digit(rest[0]))) return false;
  take(rest, is_digit_or_low_line);
  if (take_char(rest, 'e') || take_char(rest, 'E')) {
    if (!take_sign(rest) || take(rest, is_digit).empty()) return false;
  }
  return rest.empty();
}

bool take_digits(std::string_view& rest, std::size_t least, std::size_t most) {
  const std::string_view digits = take(rest, is_digit);
  return digits.size() >= least && digits.size() <= most;
}

// The time of day and its zone, after the date of a timestamp.
bool is_python_time(std::string_view rest) {
  if (!take_char(rest, 'T') && !take_char(rest, 't') &&
      take(rest, [](char c) { return c == ' ' || c == '\t'; }).empty()) {
    return false;
  }
  if (!take_digits(rest, 1, 2) || !take_char(rest, ':') || !take_digits(rest, 2, 2) || !take_char(rest, ':') ||
      !take_digits(rest, 2, 2)) {
    return false;
  }
  if (take_char(rest, '.')) take(rest, is_digit);
  if (rest.empty()) return true;
  take(rest, [](char c) { return c == ' ' || c == '\t'; });
  if (rest == "Z") return true;
  if (!take_sign(rest) || !take_digits(rest, 1, 2)) return false;
  return rest.empty() || (take_char(rest, ':') && take_digits(rest, 2, 2) && rest.empty());
}

bool is_python_timestamp(std::string_view text) {
  std::string_view rest = text;
  if (!take_digits(rest, 4, 4) || !take_char(rest, '-')) return false;
  const std::string_view month = take(rest, is_digit);
  if (month.empty() || month.size() > 2 || !take_char(rest, '-')) return false;
  const std::string_view day = take(rest, is_digit);
  if (day.empty() || day.size() > 2) return false;
  if (rest.empty()) return month.size() == 2 && day.size() == 2;
  return is_python_time(rest);
}

// For a text that begins with one of `tfyno`: whether it begins like `true`, `false`, `yes`, `no`, `null`, `on` or
// `off`.
bool may_be_special_word(std::string_view text) {
  constexpr std::size_t kLongest = 5;
  if (text.size() == 1) return true;
  if (text.size() > kLongest) return false;
  const auto low = [&](std::size_t i) { return static_cast<unsigned>(text[i] | 0x20); };
  switch (low(0) << 8 | low(1)) {
    case 't' << 8 | 'r':
    case 'f' << 8 | 'a':
    case 'y' << 8 | 'e':
    case 'n' << 8 | 'o':
    case 'n' << 8 | 'u':
    case 'o' << 8 | 'n':
    case 'o' << 8 | 'f': return true;
    default: return false;
  }
}

}  // namespace

PythonTag yaml::python_tag(std::string_view text) {
  if (is_null(text)) return PythonTag::Null;
  const char first = text[0];
  if (first == '<' || first == '=') {
    if (text == "<<") return PythonTag::Merge;
    if (text == "=") return PythonTag::Equals;
    return PythonTag::String;
  }
  if (is_digit(first) || is_sign(first) || first == '.') {
    // The order in which PyYAML tries them.
    if (is_python_float(text)) return PythonTag::Float;
    if (is_python_int(text)) return PythonTag::Int;
    return is_python_timestamp(text) ? PythonTag::Timestamp : PythonTag::String;
  }
  return old_bool(text, false) ? PythonTag::Bool : PythonTag::String;
}

bool yaml::is_wide_integer(std::string_view text, ScalarRules rules) {
  if (text.size() < 17 || !resolve_plain(text, rules).is(Kind::Float)) return false;
  take_sign(text);
  return text.find_first_of(".:") == std::string_view::npos &&
         (text.starts_with("0x") || text.find_first_of("eE") == std::string_view::npos);
}

Value resolve_plain(std::string_view text, ScalarRules rules) {
  // Most scalars are words: their first characters decide.
  static constexpr yaml::CharacterSet kMayBeSpecial("~.+-0123456789"), kWords("tTfFyYnNoO");
  const bool may_be_special =
      text.empty() || kMayBeSpecial.has(text[0]) || (kWords.has(text[0]) && may_be_special_word(text));
  if (!may_be_special) return Value::string(nullptr);
  if (is_null(text)) return Value::null();
  switch (rules) {
    case ScalarRules::Core: return resolve_core(text);
    case ScalarRules::Kubernetes: return resolve_kubernetes(text);
    case ScalarRules::Python: return resolve_python(text);
  }
  CW_UNREACHABLE("ScalarRules has no such value");
}

}  // namespace capwright
