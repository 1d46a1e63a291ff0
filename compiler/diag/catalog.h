// All diagnostics as a table, for `explain`, the generated documentation and the tests of coverage. Codes, messages and
// the pages of `capwright explain CODE` are in catalog/*.def, one list per family. A stage that reports diagnostics of
// a list includes diag/catalog/<list>.h, which the build generates: a new code recompiles the users of its list only.
#pragma once
#include <span>
#include <string_view>

#include "diag/diag.h"

namespace capwright::diag {

// All diagnostics, sorted by code.
std::span<const DiagInfo* const> all();

// By code ("T012") or name ("undefined-variable"); null if there is none.
const DiagInfo* find(std::string_view code_or_name);

}  // namespace capwright::diag
