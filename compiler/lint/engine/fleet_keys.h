// Keys that show which clusters may affect each other: the only data of a cluster that rules about the fleet keep, so
// that only clusters with common keys are loaded together.
#pragma once
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include "lint/facts/networks.h"

namespace capwright::lint {

// Keys with the same text match; if they have addresses, these must overlap.
struct FleetKey {
  // Which keys a key matches: any other, or only those of the other side.
  enum class Side : std::uint8_t { Any, Asks, Answers };

  std::uint64_t text = 0;  // its digest; a collision loads an unrelated cluster
  ip::Number first = 0, last = 0;
  std::uint32_t cluster = 0;
  std::uint32_t owner = 0;  // keys of one owner don't match each other
  Side side = Side::Any;

  // Only keys without addresses have owners.
  bool has_addresses() const { return owner == 0; }
};

// The keys of one cluster.
class FleetKeys {
 public:
  using Side = FleetKey::Side;

  // Loads the cluster whatever keys others have.
  void alone() { is_alone_ = true; }
  // Matches the same key of another cluster, or a second one of this cluster. A key may have several parts.
  void add(std::string_view rule, std::string_view key, Side side = Side::Any);
  void add(std::initializer_list<std::string_view> rule_and_key, Side side = Side::Any);
  // Matches overlapping addresses of another cluster.
  void add(std::string_view rule, std::string_view key, const AddressSpan& addresses, Side side = Side::Any);

  bool is_alone() const { return is_alone_; }
  const std::vector<FleetKey>& all() const { return keys_; }

 private:
  bool is_alone_ = false;
  std::vector<FleetKey> keys_;
};

// The clusters whose keys match another key. Sorts `keys`.
std::set<std::uint32_t> clusters_that_meet(std::vector<FleetKey>& keys);

// The keys of all clusters of a run. Most have no addresses, and are kept in a quarter of the bytes. Deques, because a
// vector that grows has two copies for a moment.
class KeysOfFleet {
 public:
  void add(std::uint32_t cluster, std::span<const FleetKey> keys);
  // The clusters whose keys match another key.
  std::set<std::uint32_t> clusters_that_meet();
  // Call it once before of(), after all keys have been added.
  void sort_by_cluster();
  // The keys of one cluster, in the order in which it gave them for names, then those with addresses.
  std::vector<FleetKey> of(std::uint32_t cluster) const;

 private:
  struct Name {
    std::uint64_t text = 0;
    std::uint32_t cluster = 0;
    std::uint32_t owner_and_side = 0;  // the side in the lowest two bits
  };
  static FleetKey key_of(const Name& name);
  void meet_by_names(std::set<std::uint32_t>& found);

  std::deque<Name> names_;
  std::vector<FleetKey> with_addresses_;
};

// A digest for comparing texts across a fleet without keeping them. Never part of an output.

// FNV-1a, 64 bits; `{"a", "b"}` and `{"ab"}` differ.
constexpr std::uint64_t digest_of(std::initializer_list<std::string_view> parts) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  std::uint64_t digest = 14695981039346656037u;
  for (const std::string_view part : parts) {
    for (const char c : part) digest = (digest ^ static_cast<unsigned char>(c)) * kPrime;
    digest = (digest ^ 0xff) * kPrime;  // a byte that no text contains
  }
  return digest;
}

}  // namespace capwright::lint
