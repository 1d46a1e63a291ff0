// Validates a value against its structural schema: types, limits, patterns, formats, required fields.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>

#include "crd/object_place.h"
#include "crd/program.h"
#include "crd/server_finding.h"
#include "value/stage.h"
#include "value/value.h"

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

// Detects missing or extra quotes around a scalar of the wrong type.

// Adds to a finding about `value`, which must be of type `wanted`, the advice on quotes, and whether quotes are the
// whole fix.
void judge_quotes(Type wanted, const Value& value, const Stage& stage, Finding& finding);

}  // namespace capwright::crd
