// Attributes and methods of the built-in types: `"a".upper()`, `xs.append(1)` or `n.real` in a template.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

// Python's getattr(self, name) for str, Markup, list, tuple, dict, int, float, bool and bytes: a bound method (an
// Object) or plain data such as `real`. Empty if the type has no such attribute. Objects implement their own look-up.
std::optional<Value> builtin_attribute(Runtime&, const Value& self, const Identifier& name);

// Calls `self.name(arguments)` directly, without creating the bound method; empty if the type has no such method (the
// caller then uses Runtime::attribute and call).
std::optional<Value> call_method(Runtime&, const Value& self, const Identifier& name, const CallArguments&);

// Whether a method of this name changes the list or dict that it is called on.
bool changes_container(std::string_view method);

// `format % arguments` of a str or Markup: printf-style formatting. A tuple has positional arguments, a mapping named
// ones.
Value format_percent(Runtime&, const Value& format, const Value& arguments);

// Iterates over and fills dicts, for methods, filters (`items`, `dictsort`) and functions (`dict`, `namespace`).

enum class DictPart : std::uint8_t { Keys, Values, Items };

// One pass over a Map's keys, values or (key, value) tuples; reports a change of its size during the pass.
Iterator* iterate_dict(Runtime&, const Value& map, DictPart part);

// dict.update(): from a mapping or an iterable of pairs, or from named arguments. False if an error is reported.
bool update_dict(Runtime&, const Value& map, const Value& other);
bool update_dict(Runtime&, const Value& map, std::span<const KeywordArgument> others);

}  // namespace capwright::jinja
