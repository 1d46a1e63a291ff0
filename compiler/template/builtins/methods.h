// Attributes and methods of the built-in types: what `"a".upper()`, `xs.append(1)` or `n.real` reach in a template.
#pragma once
#include <optional>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

// Python's getattr(self, name) for str, Markup, list, tuple, dict, int, float, bool and bytes: a bound method (an
// Object) or plain data such as `real`. Nothing when the type has no such attribute. Objects answer for themselves.
std::optional<Value> builtin_attribute(Runtime&, const Value& self, const Identifier& name);

// `self.name(arguments)` at once, without making the bound method; nothing when the type has no such method (the
// caller then goes through Runtime::attribute and call).
std::optional<Value> call_method(Runtime&, const Value& self, const Identifier& name, const CallArguments&);

// Whether a method of this name changes the list or dict that it is called on.
bool changes_container(std::string_view method);

// `format % arguments` of a str or Markup: printf-style formatting. A tuple gives several arguments, a mapping named
// ones.
Value format_percent(Runtime&, const Value& format, const Value& arguments);

}  // namespace capwright::jinja
