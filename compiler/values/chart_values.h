// Checks that a user's chart values mean the same as a map and as text: an unquoted scalar to which the values reader
// (YAML 1.2) and Helm's (YAML 1.1 as in go-yaml) give different types is a finding.
#pragma once
#include <string_view>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// `own`: the `values` of the add-on `id` or its entry in `addon_values`. A text is already in Helm's form: only its
// keys are checked, which Helm converts to text again.
void check_chart_values(std::string_view id, const Value& own, Stage& stage);

}  // namespace capwright::values
