// The pages of diagnostics and lint rules, for the terminal and the documentation.
#pragma once
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "lint/engine/rule.h"

namespace capwright::workflow {

// The page of one diagnostic: heading, severity and message, explanation. Ends with a line break.
std::string diagnostic_page(const DiagInfo&);
// The page of one lint rule, likewise.
std::string rule_page(const lint::Rule&);
// A page's text with its headings one level lower.
std::string below_heading(std::string_view text);

}  // namespace capwright::workflow
