// Parts of a fleet don't depend on the fleet, only on names.
#include "base/sha.h"
#include "pipeline/layers.h"
#include "workflow/requests.h"

namespace capwright::workflow {

bool Shard::has(std::string_view values_path) const { return has_name(cluster_stem(values_path)); }

bool Shard::has_name(std::string_view name) const {
  if (count == 0) return true;
  const Sha256 digest = sha256(name);
  const std::uint32_t hash = static_cast<std::uint32_t>(digest[0]) << 24 | static_cast<std::uint32_t>(digest[1]) << 16 |
                             static_cast<std::uint32_t>(digest[2]) << 8 | digest[3];
  return hash % count + 1 == number;
}

}  // namespace capwright::workflow
