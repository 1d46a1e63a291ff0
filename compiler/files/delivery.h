// The tool that applies the tree to the management cluster, which determines which objects it deletes when they leave
// the tree.
#pragma once
#include <cstdint>

namespace capwright {

enum class Delivery : std::uint8_t { ArgoCd, Flux, Kubectl };

}  // namespace capwright
