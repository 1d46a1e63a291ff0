// Attributes and methods of the built-in types: `"a".upper()`, `xs.append(1)` or `n.real` in a template.
#pragma once
#include <optional>

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

}  // namespace capwright::jinja
