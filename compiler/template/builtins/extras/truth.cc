// Filters and tests about truth: which values count as true, selection between two values, and required values.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>

#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"

namespace capwright::jinja {
namespace {

std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 4> kTrue{"yes", "on", "true", "1"};
constexpr std::array<std::string_view, 4> kFalse{"no", "off", "false", "0"};
// The test `truthy(convert_bool=true)` also accepts the one-letter words.
constexpr std::array<std::string_view, 6> kTruthy{"y", "yes", "on", "1", "true", "t"};
constexpr std::array<std::string_view, 6> kFalsy{"n", "no", "off", "0", "false", "f"};

bool equals_one(const Value& value) {
  return (value.is(Kind::Float) && value.as_float() == 1.0) || (value.is(Kind::Int) && value.as_int() == 1);
}

// Ansible's `boolean()` for words and for 0 and 1; other values unchanged.
Value converted(const Value& value) {
  if (value.is(Kind::String)) {
    std::string_view word = value.text();
    const std::size_t begin = word.find_first_not_of(" \t\n\r\v\f");
    word = begin == std::string_view::npos ? "" : word.substr(begin, word.find_last_not_of(" \t\n\r\v\f") + 1 - begin);
    const std::string lower = ascii_lower(word);
    if (is_one_of(lower, kTruthy)) return Value::boolean(true);
    if (is_one_of(lower, kFalsy)) return Value::boolean(false);
  }
  return value;
}

Value truthy(Runtime& runtime, const BoundArguments& arguments, bool expected) {
  const auto convert = truth_of(runtime, arguments[1]);
  if (!convert) return Value::error();
  const auto flag = truth_of(runtime, *convert ? converted(arguments[0]) : arguments[0]);
  return flag ? Value::boolean(*flag == expected) : Value::error();
}

// Whether the truth of some item is `wanted`.
Value find_truth(Runtime& runtime, const BoundArguments& arguments, bool wanted, bool result) {
  const auto items = items_of(runtime, arguments[0]);
  if (!items) return Value::error();
  for (const Value& item : *items) {
    const auto flag = truth_of(runtime, item);
    if (!flag) return Value::error();
    if (*flag == wanted) return Value::boolean(result);
  }
  return Value::boolean(!result);
}

}  // namespace

Value bool_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (!runtime.usable(value)) return Value::error();
  const bool has_word = value.is(Kind::String) || value.is(Kind::Bool) || value.is(Kind::Int);
  const std::string lower = has_word ? ascii_lower(runtime.str(value)) : std::string();
  if (is_one_of(lower, kTrue)) return Value::boolean(true);
  if (is_one_of(lower, kFalse)) return Value::boolean(false);
  const bool result = equals_one(value);
  const std::string shown = extras::shown(value, runtime.repr(value));
  if (Diagnostic* warning = runtime.report(diag::unclear_boolean, runtime.here, shown, result ? "true" : "false")) {
    warning->advise("use yes, on, true or 1; or no, off, false or 0");
  }
  return Value::boolean(result);
}

Value ternary_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (value.is(Kind::Null) && !arguments[3].is(Kind::Null)) return arguments[3];
  const auto flag = truth_of(runtime, value);
  if (!flag) return Value::error();
  return *flag ? arguments[1] : arguments[2];
}

Value mandatory_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (!value.is(Kind::Undefined)) return value;
  if (!arguments[1].is(Kind::Null)) {
    const Value message = text_of(runtime, arguments[1]);
    return message.is_error() ? message : runtime.fail(diag::mandatory_value_missing, extras::shown(message));
  }
  const std::string_view name = value.undefined_info()->name;
  const std::string message =
      name.empty() ? "a mandatory value is not defined" : fmt::format("`{}` is mandatory but not defined", name);
  return runtime.fail(diag::mandatory_value_missing, message);
}

Value type_debug_filter(Runtime& runtime, const BoundArguments& arguments) {
  return runtime.string(runtime.type_name(arguments[0]));
}

Value truthy_test(Runtime& runtime, const BoundArguments& arguments) { return truthy(runtime, arguments, true); }
Value falsy_test(Runtime& runtime, const BoundArguments& arguments) { return truthy(runtime, arguments, false); }
Value any_test(Runtime& runtime, const BoundArguments& arguments) { return find_truth(runtime, arguments, true, true); }
Value all_test(Runtime& runtime, const BoundArguments& arguments) {
  return find_truth(runtime, arguments, false, false);
}

Value nan_test(Runtime&, const BoundArguments& arguments) {
  return Value::boolean(arguments[0].is(Kind::Float) && std::isnan(arguments[0].as_float()));
}

}  // namespace capwright::jinja
