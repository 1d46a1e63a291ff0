// The edit that gives a scalar in a source another text.
#pragma once
#include <optional>
#include <string_view>

#include "diag/diag.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// Keeps the quotes, and adds some if `text` needs them to stay a string. Empty if `value` isn't a scalar that its
// source has with exactly its text: an alias, a block, a text with escapes, a reference, a default.
std::optional<Edit> replace_scalar(const Value& value, std::string_view text, const Stage& stage);

}  // namespace capwright
