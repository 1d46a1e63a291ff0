// By what clusters may concern one another: the little that is left of a cluster for rules about the fleet, so that
// only those that do are looked at together.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <set>
#include <string_view>
#include <vector>

#include "lint/networks.h"

namespace capwright::lint {

// Keys of the same text meet; of those with addresses, which overlap.
struct FleetKey {
  // Whom a key meets: any other, or those of the other side alone.
  enum class Side : std::uint8_t { Any, Asks, Answers };

  std::uint64_t text = 0;  // its digest; if two texts have one, a cluster too many is looked at
  ip::Number first = 0, last = 0;
  std::uint32_t cluster = 0;
  std::uint32_t owner = 0;  // keys of one owner don't meet
  Side side = Side::Any;
};

// What one cluster gives.
class FleetKeys {
 public:
  using Side = FleetKey::Side;

  // The cluster is looked at, whatever others have.
  void alone() { is_alone_ = true; }
  // Met by the same of another cluster, or by a second one of this. A key may have several parts.
  void add(std::string_view rule, std::string_view key, Side side = Side::Any);
  void add(std::initializer_list<std::string_view> rule_and_key, Side side = Side::Any);
  // Met by what overlaps and is another cluster's.
  void add(std::string_view rule, std::string_view key, const AddressSpan& addresses, Side side = Side::Any);

  bool is_alone() const { return is_alone_; }
  const std::vector<FleetKey>& all() const { return keys_; }

 private:
  bool is_alone_ = false;
  std::vector<FleetKey> keys_;
};

// The clusters of those keys that meet another one. Sorts them.
std::set<std::uint32_t> clusters_that_meet(std::vector<FleetKey>& keys);

}  // namespace capwright::lint
