// The diagnostics of a repository as a whole, declared as in catalog.h. They have a separate header, because few files
// report them and nearly every file includes the other header.
#pragma once
#include "diag/catalog.h"

namespace capwright::diag {

#define CW_DIAG(CODE, NAME, SEVERITY, FORMAT, TYPES, EXPLANATION)                                           \
  inline constexpr DiagSpec<CW_UNPACK TYPES> NAME{{#CODE, #NAME, Severity::SEVERITY, FORMAT, EXPLANATION}}; \
  static_assert(placeholders(FORMAT) == argument_count(NAME), #CODE ": placeholders and argument types disagree");
#include "diag/catalog/repository.def"
#undef CW_DIAG

}  // namespace capwright::diag
