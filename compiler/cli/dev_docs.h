// Documentation made from the program's own tables.
#pragma once
#include <string>

#include "diag/diag.h"

namespace capwright::cli {

// The page of one diagnostic: heading, severity and message, explanation. Ends with a line break.
std::string diagnostic_page(const DiagInfo&);

// docs/diagnostics.md.
std::string diagnostics_document();

}  // namespace capwright::cli
