// Filters, tests and functions: their declaration (builtins.def), their arguments and how they are called.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "template/runtime/runtime.h"

namespace capwright::jinja {

// Arguments after binding, in the order of the signature; the operand of a filter or test comes first.
class BoundArguments {
 public:
  BoundArguments(std::span<const Value> values, std::uint32_t given) : values_(values), given_(given) {}
  const Value& operator[](std::size_t index) const { return values_[index]; }
  // Whether the template passed the argument (the others have their defaults).
  bool given(std::size_t index) const { return (given_ >> index & 1u) != 0; }
  std::size_t size() const { return values_.size(); }
  // The values that `*args` and `**kwargs` of a signature collected.
  std::span<const Value> rest;
  std::span<const KeywordArgument> rest_keywords;

 private:
  std::span<const Value> values_;
  std::uint32_t given_;
};

using BuiltinFunction = Value (*)(Runtime&, const BoundArguments&);

enum class BuiltinKind : std::uint8_t { Filter, Test, Function };

// How the result's origin and taint derive from the arguments.
enum class Provenance : std::uint8_t {
  Opaque,  // call_builtin() gives a scalar result all leaves and the taint of all arguments
  Count,   // the same, but without the taint inside containers: the function looks at the values it needs
  Layout,  // the function keeps a map byte by byte (indent, join, to_yaml …), including taint
  Pass,    // the function returns one of its arguments or their items, with their origins (first, default …)
};

// Whether the operand of a filter or test may be undefined.
enum class Operand : std::uint8_t {
  Defined,  // call_builtin() reports a strict undefined; the function gets only those of the lenient modes
  Any,      // the function handles undefined values (default, defined, the lazy filters …)
};

// `signature` is Python's `def` without types: "s, width=4, first=false, *args, **kwargs". Defaults are none, true,
// false, numbers and quoted strings without escapes. It is parsed when capwright is compiled.
struct Builtin {
  std::string_view name;
  BuiltinKind kind;
  std::string_view signature;
  BuiltinFunction function;
  Provenance provenance;
  Operand operand;
  bool extra = false;  // not in Jinja2
};

// The tables of builtins.def, sorted by name; null if there is no such builtin. Aliases ("count", "d", "e") have their
// own rows. `with_extras`: Options::extras of the calling template.
const Builtin* find_builtin(BuiltinKind, std::string_view name, bool with_extras = true);
// All names of a kind, sorted: the candidates for suggestions.
std::span<const std::string_view> builtin_names(BuiltinKind);

// Calls a builtin: an argument of kind Error makes the result Error; arguments are bound to the signature (errors are
// reported in Python's wording); an Opaque result gets the origins and the taint of all arguments.
Value call_builtin(Runtime&, const Builtin&, const CallArguments&);
// A function (`range`, `dict` …) as a value, for `{% set r = range %}` and for calls.
Value builtin_function_value(Runtime&, const Builtin&);

// The errors, origins and taint that a call's result inherits from its arguments.

// Whether an argument is an error that is already reported; then the call reports nothing.
bool holds_error(const CallArguments&);

// Gives an Opaque `result` the origins and the taint of all arguments, and containers the taint only. A text from a
// Layout function is a secret if an argument is, for code that tests its content; its map still distinguishes the
// bytes.
Value with_lineage(Runtime&, Provenance, Value result, const CallArguments&);

}  // namespace capwright::jinja
