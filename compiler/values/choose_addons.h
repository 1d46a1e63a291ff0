// Which add-ons a cluster has, and whether they go together: steps 1 to 4 of schemas/catalogue/README.md.
#pragma once
#include <vector>

#include "value/stage.h"
#include "value/value.h"
#include "values/catalogue.h"

namespace capwright::values {

struct ChosenAddon {
  const Addon* addon = nullptr;
  const Value* item = nullptr;  // what the values say of it; null: it is implied by the provider
  Span where;                   // its id in the values, or the provider that implies it
};

// From `values` (validated): the add-ons that are listed and fit, and those that the provider implies. Reports what
// does not fit, what excludes each other, what is needed and missing, what is retired.
std::vector<ChosenAddon> choose_addons(const Value& values, const AddonCatalogue&, Stage&);

}  // namespace capwright::values
