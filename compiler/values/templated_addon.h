// Values under which an add-on has only its templated chart values, to show these before a user changes them.
#pragma once
#include <string_view>

#include "value/stage.h"
#include "value/value.h"
#include "values/catalogue.h"

namespace capwright::values {

// Returns normalized `values` with the add-on `id` among `addons`, and without the user's chart values for it. `addons`
// of another form are unchanged: validation reports them.
Value with_templated_addon(const Value& values, std::string_view id, const AddonCatalogue&, Stage&);

}  // namespace capwright::values
