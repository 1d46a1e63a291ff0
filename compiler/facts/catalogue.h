// Files of schemas/catalogue/: dated facts that are compiled in, so an unexpected shape is a bug.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/regex.h"
#include "value/value.h"

namespace capwright {

// schemas/catalogue/credentials.yaml
const Value& credential_facts();

// Whether a gate of feature-gates.yaml is on in a management cluster that nothing is known about; empty: no provider
// has a gate of this name. Of two providers with the same name, the first one counts.
std::optional<bool> gate_default(std::string_view name);
// The names of all gates, sorted, each once.
const std::vector<std::string_view>& gate_names();

// A member of a map in these files; it must exist.
const Value& fact(const Value& map, std::string_view key);
// The words of a text in these files, or the items of a list.
const std::vector<std::string_view>& words_of(const Value& text_or_list);
// A regular expression in these files; it must be valid.
Regex fact_pattern(const Value& text);

}  // namespace capwright
