// Argument checks of the extra filters beyond operands.h, so that all of them report invalid arguments in the same
// words. `filter` is the name in the template; if a function returns nothing, it has reported an error.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "template/builtins/operands.h"

namespace capwright::jinja::extras {

// The argument must be a str.
std::optional<std::string_view> string_argument(Runtime&, std::string_view filter, const Value&);
// A 64-bit whole number (a bool counts as one).
std::optional<std::int64_t> integer_argument(Runtime&, std::string_view filter, const Value&);

// Ansible's definition of a sequence: a list, a tuple or a range, but not a str.
bool is_sequence(Runtime&, const Value&);
// A Python list, not a tuple.
inline bool is_list(const Value& value) { return value.is(Kind::List) && !value.is_tuple(); }
// Values that Ansible omits from lists: none, and the words `None` and `null`.
bool is_null_word(const Value&);

// Formats an argument, or a text derived from it, for a message: a secret is redacted.
std::string shown(const Value& argument, std::string_view text);
inline std::string shown(const Value& argument) { return shown(argument, argument.text()); }

// Reports that `filter` requires `expected` ("a dict", "text"); returns Error.
Value needs(Runtime&, std::string_view filter, std::string_view expected, const Value& found);
// Reports that a text isn't a valid `what` ("algorithm") for `filter`, and suggests the nearest of `known`; returns
// Error.
Value unknown_option(Runtime&, std::string_view filter, std::string_view what, std::string_view text,
                     std::span<const std::string_view> known);
// The index of a text among `known`.
std::optional<std::size_t> choice(Runtime&, std::string_view filter, std::string_view what, const Value& value,
                                  std::span<const std::string_view> known);

}  // namespace capwright::jinja::extras
