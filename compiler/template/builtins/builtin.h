// Filters, tests and functions: how one is declared (builtins.def) and what it is handed.
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
  // Whether the template gave the argument (a default fills the others).
  bool given(std::size_t index) const { return (given_ >> index & 1u) != 0; }
  std::size_t size() const { return values_.size(); }
  // What `*args` and `**kwargs` of a signature collected.
  std::span<const Value> rest;
  std::span<const KeywordArgument> rest_keywords;

 private:
  std::span<const Value> values_;
  std::uint32_t given_;
};

using BuiltinFunction = Value (*)(Runtime&, const BoundArguments&);

enum class BuiltinKind : std::uint8_t { Filter, Test, Function };

// How the result's origin follows from the arguments.
enum class Provenance : std::uint8_t {
  Opaque,  // all leaves of all arguments, over the whole result
  Layout,  // the function itself keeps a map byte by byte (indent, join, to_yaml …)
  Pass,    // the function returns one of its arguments or their items, which keep their own (first, default …)
};

// `signature` is what Python's def would say without types: "s, width=4, first=false, *args, **kwargs". Defaults are
// literals of the template language. It is parsed when a template that uses the builtin is compiled.
struct Builtin {
  std::string_view name;
  BuiltinKind kind;
  std::string_view signature;
  BuiltinFunction function;
  Provenance provenance;
  bool takes_undefined = false;  // the function looks at undefined operands itself (default, defined …)
};

// The tables of builtins.def, sorted by name; null when there is none. Aliases ("count", "d", "e") have own rows.
const Builtin* find_builtin(BuiltinKind, std::string_view name);
// All names of a kind, sorted: the candidates of "did you mean".
std::span<const std::string_view> builtin_names(BuiltinKind);

}  // namespace capwright::jinja
