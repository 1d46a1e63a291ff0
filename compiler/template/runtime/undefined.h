// Jinja2's undefined values: failed look-ups. They aren't errors until a template uses them in a way that their class
// forbids, so each one keeps the look-up and its place.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "source/source.h"
#include "template/syntax/options.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright {

// The payload of a Value of Kind::Undefined.
struct UndefinedInfo {
  enum class Why : std::uint8_t {
    Name,  // `name` is neither set nor in the values
    Item,  // `owner` has no attribute or item `key`
    Hint,  // Jinja2's own message, in `hint`
  };
  Why why = Why::Name;
  jinja::UndefinedMode mode = jinja::UndefinedMode::Strict;
  std::string_view name;  // Name, and Item by a String
  std::string_view hint;
  Value owner;  // Item: of the look-up; Hint: a Map of the names that could be meant, or Null
  Value key;
  std::string_view owner_text;  // the source text of the owner ("pool"); empty if it isn't known
  Span where;                   // the look-up: the name, the attribute or the key; the call that lacks an argument
  Span parameter;               // of a macro, for which the call has no argument
};

}  // namespace capwright

namespace capwright::jinja {
class Runtime;

// "StrictUndefined", "Undefined" …
std::string_view class_name(UndefinedMode);
// str() of a DebugUndefined: `{{ name }}`, `{{ no such element: dict object['x'] }}`.
std::string debug_text(Runtime&, const UndefinedInfo&);

// Names the place where a value of the input is null, for an error of its use. `text`: its expression; may be empty.
void explain_null(Diagnostic&, const Value& null, std::string_view text, const OriginTable&);
// Reports an operation on operands of wrong types, in Python's words; if one is null, with its place. Null if the same
// error was reported there before.
Diagnostic* report_type(Runtime&, std::string message, const Value& a, const Value& b);

}  // namespace capwright::jinja
