// A value against its structural schema: types, limits, patterns, formats, what is required.
#pragma once
#include "crd/place.h"
#include "crd/program.h"

namespace capwright::crd {

// Reports every fault of the value that decode() gave, as the server does: a value of a wrong type may have others,
// too. What an update doesn't change isn't held against it.
void check_structure(const Node&, const Place&, Reporter&);

// The item of `old` with the keys of `item`, in a list of type map; null when there is none, or lists aren't compared.
const Value* correlated_item(const Node& list, const Value* old, const Value& item);

// Lists of type `set` and `map`, and those inside them.
void check_lists(const Node&, const Place&, Reporter&);

}  // namespace capwright::crd
