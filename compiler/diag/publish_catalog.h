// The diagnostics of publishing, declared as in catalog.h. They have a separate header, because only one command uses
// them and nearly every file includes the other header.
#pragma once
#include "diag/catalog.h"

namespace capwright::diag {

#include "diag/publish_names.inc"

}  // namespace capwright::diag
