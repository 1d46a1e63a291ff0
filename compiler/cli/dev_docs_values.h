// The reference of values, made from the schemas.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace capwright::cli {

// docs/values.md: the vocabulary that all sets share.
std::string values_document();

// docs/configuration.md: the keys of capwright.yaml.
std::string configuration_document();

// What stands between the markers of docs/providers/<set>.md: the keys that a built-in set adds or narrows, and what it
// asks for or refuses in which cases. Nothing when there is no such set.
std::optional<std::string> values_of_set(std::string_view id);

}  // namespace capwright::cli
