// Examples of values, as a schema gives them.
#pragma once
#include <optional>

#include "base/arena.h"
#include "value/value.h"

namespace capwright::values {

// A schema whose `$ref`s to definitions of `document` are replaced. Its own keywords have precedence over those of the
// definition.
Value without_references(Value schema, const Value& document, Arena&);

// `const`, the first of `examples` or of `enum`, or the default; of a map without them, the examples of its
// required members that have no default. Empty if the schema has none of these.
std::optional<Value> example_of(const Value& schema, const Value& document, Arena&);

// The required members of `document` without a default, each with its example. A member without one is left out.
Value required_examples(const Value& document, Arena&);

}  // namespace capwright::values
