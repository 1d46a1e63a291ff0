// Which add-ons a cluster has, and whether they go together: steps 1 to 4 of schemas/catalogue/README.md.
#pragma once
#include <optional>
#include <string>
#include <string_view>
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

// Why an add-on doesn't work on a cluster.
struct Unfit {
  std::string_view what;  // which of its properties is at fault: `provider` or `kubernetes type`
  std::string_view is;    // what the cluster has there
  std::string why;        // where it works, or what stands in the way
};
std::optional<Unfit> find_unfit(const Addon&, std::string_view provider, std::string_view kubernetes_type);

// Why two add-ons can't be in one cluster; empty when they can.
std::string_view why_not_both(const Addon&, const Addon&);

}  // namespace capwright::values
