// What rules about the fleet need of one cluster, as digests and ranges of addresses: small enough to keep for each
// cluster of a large fleet, and without any text of the cluster, which may be secret.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lint/engine/claims.h"
#include "lint/engine/fleet_keys.h"

namespace capwright::lint {

struct FleetRecord {
  bool is_alone = false;         // FleetKeys::is_alone()
  bool is_first_of_set = false;  // the first cluster of its run that its template set renders
  std::vector<FleetKey> keys;    // without the number of the cluster
  std::vector<NotedClaim> claims, comments;

  bool is_empty() const { return !is_alone && !is_first_of_set && keys.empty() && claims.empty() && comments.empty(); }
};

// As bytes: 9 for a key without addresses, 41 for one with them, 9 for a claim.
std::string packed(const FleetRecord& record);
// Empty for other bytes.
std::optional<FleetRecord> unpacked_record(std::string_view bytes);

std::string packed(const std::vector<Denial>& denials);
std::optional<std::vector<Denial>> unpacked_denials(std::string_view bytes);

}  // namespace capwright::lint
