// The schema for a cluster's values: merges the common part and the template set's part into one document.
// schemas/values/README.md states the rules for users ("The effective schema").
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// Merges `set` into `common`; both are parsed schema documents. Origins are kept, so that a default has its file.
Value merge_schemas(const Value& common, const Value& set, Arena&);

}  // namespace capwright::values
