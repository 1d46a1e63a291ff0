// The reference of values, generated from the schemas.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace capwright::devtools {

// docs/values.md: the vocabulary that all sets share.
std::string values_document();

// docs/configuration.md: the keys of capwright.yaml.
std::string configuration_document();

// The text between the markers of docs/providers/<set>.md: the keys that a built-in set adds or narrows, and its
// conditional rules. Empty if the set doesn't exist.
std::optional<std::string> values_of_set(std::string_view id);

}  // namespace capwright::devtools
