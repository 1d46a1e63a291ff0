// Secrets that an alias or a reference copied to a place that isn't marked as secret.
#pragma once
#include <string_view>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::secrets {

// Returns `values` with taint on each string below the key `free` that equals a secret's text elsewhere. No schema
// marks secrets below that key; other keys follow their schema. Texts under eight bytes are ignored, because they may
// be ordinary words.
Value taint_copies(const Value& values, std::string_view free, Stage& stage);

}  // namespace capwright::secrets
