// Marks values as secret: those that the schema marks, and what aliases and references copied of them.
#pragma once
#include <span>
#include <string_view>

#include "schema/schema.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright::secrets {

// Returns `value` with every leaf below `x-secret: true` tainted.
Value mark_secrets(const schema::Schema&, const Value& value, Stage&);

// Returns `values` with all values tainted that come from one of the places in `secrets`. A YAML alias places one node
// at several paths: if it is secret at one of them, it is secret at all.
Value taint_aliases(const Value& values, std::span<const Span> secrets, Stage& stage);

// Returns `values` with taint on each string below the key `free` that equals a secret's text elsewhere. No schema
// marks secrets below that key; other keys follow their schema. Texts under eight bytes are ignored, because they may
// be ordinary words.
Value taint_copies(const Value& values, std::string_view free, Stage& stage);

}  // namespace capwright::secrets
