// Functions and operators: their signatures, costs and implementations. functions.def lists them.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cel/bounds.h"
#include "cel/cost.h"
#include "cel/type.h"
#include "cel/val.h"
#include "text/regex.h"

namespace capwright::cel {

// The input of a function body.
struct Call {
  std::span<const Val> args;
  Arena& arena;
  Bounds& bounds;
  const Regex* regex = nullptr;  // of a literal pattern, precompiled

  std::string_view text(std::size_t index) const { return args[index].text(); }
  Val fail(std::string_view message) { return make_error(message, arena); }
  Val make_text(std::string_view bytes) { return make_string(bytes, arena); }
  // For a body that `bounds` has stopped: the evaluator reports which limit ended the evaluation.
  Val stopped() { return fail("the evaluation is over"); }
};

// One signature of a function. Bodies are total: they return an error for arguments that they can't use.
struct Overload {
  std::string_view name;
  bool member;
  std::uint8_t since;  // Kubernetes 1.<since>
  std::span<const Type* const> params;
  const Type* result;
  Cost cost;
  Val (*body)(Call&);
};

// All overloads of that name, in the order in which they are tried; empty if there are none.
std::span<const Overload> find_function(std::string_view name);
// All names, sorted, for suggestions.
std::span<const std::string_view> function_names();

// Whether the values match the parameters, judged by kinds (and first elements of lists).
bool accepts(const Overload&, std::span<const Val> args);

// All function bodies that functions.def names. Arguments always have the kinds that the overloads declare.

#define CW_CEL(name, style, signature, since, cost, body) Val body(Call&);
#include "cel/functions.def"
#undef CW_CEL

}  // namespace capwright::cel
