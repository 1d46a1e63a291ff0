// The one schema that a cluster's values must meet: the common part and the template set's part merged into one
// document. The rules are stated for users in schemas/values/README.md ("The effective schema").
#pragma once
#include "value/stage.h"
#include "value/value.h"

namespace capwright::values {

// `set` merged into `common`; both are parsed schema documents. Origins stay, so that a default tells its file.
Value merge_schemas(const Value& common, const Value& set, Arena&);

}  // namespace capwright::values
