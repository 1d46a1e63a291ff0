// Documentation generated from the program's own tables.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::devtools {

// docs/diagnostics.md.
std::string diagnostics_document();

// docs/rules.md.
std::string rules_document();

// The page that `docs ARGUMENTS…` names; empty if there is none.
std::optional<std::string> generated_page(const std::vector<std::string>& arguments);

// docs/values.md: the vocabulary that all sets share.
std::string values_document();

// The help of all commands as data, for tests/docs/commands_page.py: [{"name", "summary", "usage", "commands":
// [{"name", "summary", "group"}], "groups": [{"title", "options": [{"name", "text"}]}], "examples": [{"purpose",
// "line"}]}], the program first.
std::string commands_json();

// docs/configuration.md: the keys of capwright.yaml.
std::string configuration_document();

// The text between the markers of docs/providers/<set>.md: the keys that a built-in set adds or narrows, and its
// conditional rules. Empty if the set doesn't exist.
std::optional<std::string> values_of_set(std::string_view id);

}  // namespace capwright::devtools
