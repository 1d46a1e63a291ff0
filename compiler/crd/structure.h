// Validates a value against its structural schema: types, limits, patterns, formats, required fields.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>

#include "crd/place.h"
#include "crd/program.h"

namespace capwright::crd {

// Reports every error of the value that decode() returned, as the server does: a value of the wrong type may have other
// errors too. Errors that an update doesn't touch are ignored.
void check_structure(const Node&, const Place&, Reporter&);

// Matches the items of a list of type map with the old ones, by their keys. Items of other lists aren't compared.
class Correlation {
 public:
  Correlation(const Node& list, const Value* old);
  // The item with the keys of `item`; null if there is none.
  const Value* find(const Value& item) const;

 private:
  const Node& list_;
  std::unordered_map<std::string, const Value*> items_;
};

// Checks lists of type `set` and `map`, and those inside them.
void check_lists(const Node&, const Place&, Reporter&);

}  // namespace capwright::crd
