// The table of all rules, sorted by code.
#pragma once
#include <span>
#include <string_view>

#include "lint/engine/rule.h"

namespace capwright::lint {

std::span<const Rule* const> all_rules();

// By code ("CAP401") or name ("even-control-plane"); null if there is none.
const Rule* find_rule(std::string_view code_or_name);

// The DiagInfo of a rule's diagnostics; lives as long as the program.
const DiagInfo& info_of(const Rule& rule);

// The first paragraph of the rule's page, or of any page, on one line.
std::string summary_of(const Rule& rule);
std::string summary_of(std::string_view page);

}  // namespace capwright::lint
