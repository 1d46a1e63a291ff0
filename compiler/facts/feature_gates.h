// The feature gates of schemas/catalogue/feature-gates.yaml.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

namespace capwright {

// Whether the gate is on in a management cluster that nothing is known about; empty: no provider has a gate of this
// name. Of two providers with the same name, the first one counts.
std::optional<bool> gate_default(std::string_view name);

// The names of all gates, sorted, each once.
const std::vector<std::string_view>& gate_names();

}  // namespace capwright
