// Selects the add-ons of a cluster and checks that they are compatible: steps 1 to 4 of schemas/catalogue/README.md.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/stage.h"
#include "value/value.h"
#include "values/addon_catalogue.h"

namespace capwright::values {

struct ChosenAddon {
  const Addon* addon = nullptr;
  const Value* item = nullptr;  // the item in the values; null: implied by the provider
  Span where;                   // the place of its id in the values, or of the provider that implies it
};

// From validated `values`: the listed add-ons that are compatible, and those that the provider implies. Reports
// incompatible, conflicting, missing required, and retired add-ons.
std::vector<ChosenAddon> choose_addons(const Value& values, const AddonCatalogue&, Stage&);

// Why an add-on doesn't work on a cluster.
struct Incompatibility {
  std::string_view what;  // the conflicting property: `provider` or `kubernetes type`
  std::string_view is;    // the cluster's value of it
  std::string why;        // where the add-on works, or the conflict
};
std::optional<Incompatibility> find_incompatibility(const Addon&, std::string_view provider,
                                                    std::string_view kubernetes_type);

// Why two add-ons can't be in one cluster; empty if they can.
std::string_view why_not_both(const Addon&, const Addon&);

// Values under which an add-on has only its templated chart values, to show these before a user changes them.

// Returns normalized `values` with the add-on `id` among `addons`, and without the user's chart values for it. `addons`
// of another form are unchanged: validation reports them.
Value with_templated_addon(const Value& values, std::string_view id, const AddonCatalogue&, Stage&);

}  // namespace capwright::values
