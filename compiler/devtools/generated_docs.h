// Documentation generated from the program's own tables.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace capwright::devtools {

// docs/diagnostics.md.
std::string diagnostics_document();

// docs/rules.md.
std::string rules_document();

// The page that `docs ARGUMENTS…` names; empty if there is none.
std::optional<std::string> generated_page(const std::vector<std::string>& arguments);

}  // namespace capwright::devtools
