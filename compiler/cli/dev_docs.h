// Documentation generated from the program's own tables.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "diag/diag.h"
#include "lint/engine/rule.h"

namespace capwright::cli {

// The page of one diagnostic: heading, severity and message, explanation. Ends with a line break.
std::string diagnostic_page(const DiagInfo&);

// docs/diagnostics.md.
std::string diagnostics_document();

// The page of one lint rule, likewise; docs/rules.md.
std::string rule_page(const lint::Rule&);
// A page's text with its headings one level lower.
std::string below_heading(std::string_view text);
std::string rules_document();

// The page that `dev docs ARGUMENTS…` names; empty if there is none.
std::optional<std::string> generated_page(const std::vector<std::string>& arguments);

}  // namespace capwright::cli
