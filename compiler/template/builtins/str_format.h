// Python's three ways to format: format(value, spec), str.format() and the `%` operator.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

// format(value, spec), as str. Empty if an error is reported.
std::optional<std::string> format_value(Runtime&, const Value&, std::string_view spec);

// The values for the fields of str.format(): arguments, or (format_map) a mapping for all names.
struct FormatArguments {
  std::span<const Value> positional;
  std::span<const KeywordArgument> keywords;
  std::optional<Value> mapping;
};
// `format.format(…)`. A Markup format escapes the inserted values, and stays Markup.
Value format_fields(Runtime&, const Value& format, const FormatArguments&);

// ascii(): repr() with escapes for all characters outside ASCII.
std::string ascii_repr(Runtime&, const Value&);

// The digits of a whole number's magnitude in the base of a format type (b o x X d …). Empty if an error is reported.
std::optional<std::string> whole_digits(Runtime&, const BigInteger&, char type);

}  // namespace capwright::jinja
