// What the extra filters ask of their arguments beyond operands.h, so that all of them refuse a wrong one in the same
// words. `filter` is the name that the template used; a fault is reported before a function returns nothing.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "template/builtins/operands.h"

namespace capwright::jinja::extras {

// A str itself.
std::optional<std::string_view> string_argument(Runtime&, std::string_view filter, const Value&);
// A whole number (a bool counts) of 64 bits.
std::optional<std::int64_t> integer_argument(Runtime&, std::string_view filter, const Value&);

// What Ansible calls a sequence: a list, a tuple or a range, but no str.
bool is_sequence(Runtime&, const Value&);
// Python's list: no tuple.
inline bool is_list(const Value& value) { return value.is(Kind::List) && !value.is_tuple(); }
// What Ansible leaves out of lists: none, and the words `None` and `null`.
bool is_null_word(const Value&);

// How a message shows an argument, or a text made of it: a secret is never shown.
std::string shown(const Value& argument, std::string_view text);
inline std::string shown(const Value& argument) { return shown(argument, argument.text()); }

// Reports that `filter` needs `expected` ("a dict", "text"); Error.
Value needs(Runtime&, std::string_view filter, std::string_view expected, const Value& found);
// Reports that a text is none of `filter`'s `what` ("algorithm"), with the nearest of `known`; Error.
Value unknown_option(Runtime&, std::string_view filter, std::string_view what, std::string_view text,
                     std::span<const std::string_view> known);
// The index of a text among `known`.
std::optional<std::size_t> choice(Runtime&, std::string_view filter, std::string_view what, const Value& value,
                                  std::span<const std::string_view> known);

}  // namespace capwright::jinja::extras
