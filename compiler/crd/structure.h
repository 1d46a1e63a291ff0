// A value against its structural schema: types, limits, patterns, formats, what is required.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>

#include "crd/place.h"
#include "crd/program.h"

namespace capwright::crd {

// Reports every fault of the value that decode() gave, as the server does: a value of a wrong type may have others,
// too. What an update doesn't change isn't held against it.
void check_structure(const Node&, const Place&, Reporter&);

// The items of what a list of type map was before, by their keys. Other lists have none: their items aren't compared.
class Correlation {
 public:
  Correlation(const Node& list, const Value* old);
  // The item with the keys of `item`; null when there is none.
  const Value* find(const Value& item) const;

 private:
  const Node& list_;
  std::unordered_map<std::string, const Value*> items_;
};

// Lists of type `set` and `map`, and those inside them.
void check_lists(const Node&, const Place&, Reporter&);

}  // namespace capwright::crd
