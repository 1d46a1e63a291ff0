// Values as if an add-on had the chart values that templates give it: for who wants to see these before changing them.
#pragma once
#include <string_view>

#include "value/stage.h"
#include "value/value.h"
#include "values/catalogue.h"

namespace capwright::values {

// `values` (normalized) with the add-on `id` among `addons`, and without chart values of the user's own for it.
// `addons` of another shape stay as they are: validation reports them.
Value with_templated_addon(const Value& values, std::string_view id, const AddonCatalogue&, Stage&);

}  // namespace capwright::values
