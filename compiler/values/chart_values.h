// A user's chart values, as a map or as text, mean the same in both forms: an unquoted scalar that the reader of values
// files (YAML 1.2) and Helm's (YAML 1.1, as go-yaml has it) take for different things is a finding.
#pragma once
#include <string_view>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// `own`: what `values` of the add-on `id` or its entry in `addon_values` holds. Text is Helm's already: only its keys
// are looked at, which Helm turns into texts again.
void check_chart_values(std::string_view id, const Value& own, Stage& stage);

}  // namespace capwright::values
