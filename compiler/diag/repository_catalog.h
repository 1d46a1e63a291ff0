// The diagnostics of a repository as a whole, declared as in catalog.h. They have a separate header, because few files
// report them and nearly every file includes the other header.
#pragma once
#include "diag/catalog.h"

namespace capwright::diag {

#include "diag/repository_names.inc"

}  // namespace capwright::diag
