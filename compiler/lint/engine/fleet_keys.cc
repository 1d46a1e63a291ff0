// Sorts keys by text; two sweeps then find for each key the one most likely to overlap.
#include "lint/engine/fleet_keys.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace capwright::lint {
namespace {

using Side = FleetKey::Side;

constexpr std::uint32_t kWholeCluster = 0;

bool is_one_owner(const FleetKey& a, const FleetKey& b) { return a.cluster == b.cluster && a.owner == b.owner; }

// The best keys of two different owners on a side, so that one of them has another owner than the key compared with it.
class BestTwo {
 public:
  template <class IsBetter>
  void offer(const FleetKey& key, IsBetter is_better) {
    if (first_ == nullptr || is_one_owner(*first_, key)) {
      if (first_ == nullptr || is_better(key, *first_)) first_ = &key;
    } else if (is_better(key, *first_)) {
      second_ = std::exchange(first_, &key);
    } else if (second_ == nullptr || is_better(key, *second_)) {
      second_ = &key;
    }
  }
  const FleetKey* of_another(const FleetKey& key) const {
    return first_ != nullptr && is_one_owner(*first_, key) ? second_ : first_;
  }

 private:
  const FleetKey* first_ = nullptr;
  const FleetKey* second_ = nullptr;
};

// The best keys of each side among those passed.
struct BestKeys {
  BestTwo of[3];
  const FleetKey* for_key(const FleetKey& key) const {
    Side met = Side::Any;
    if (key.side == Side::Asks) met = Side::Answers;
    else if (key.side == Side::Answers) met = Side::Asks;
    return of[static_cast<std::size_t>(met)].of_another(key);
  }
};

// Keys with the same text, by their first address.
void meet(std::span<const FleetKey> keys, std::set<std::uint32_t>& found) {
  BestKeys before, behind;
  for (const FleetKey& key : keys) {
    const FleetKey* longest = before.for_key(key);
    if (longest != nullptr && longest->last >= key.first) found.insert(key.cluster);
    before.of[static_cast<std::size_t>(key.side)].offer(
        key, [](const FleetKey& a, const FleetKey& b) { return a.last > b.last; });
  }
  for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
    const FleetKey* next = behind.for_key(*key);
    if (next != nullptr && next->first <= key->last) found.insert(key->cluster);
    behind.of[static_cast<std::size_t>(key->side)].offer(
        *key, [](const FleetKey& a, const FleetKey& b) { return a.first <= b.first; });
  }
}

}  // namespace

void FleetKeys::add(std::string_view rule, std::string_view key, Side side) { add({rule, key}, side); }

void FleetKeys::add(std::initializer_list<std::string_view> rule_and_key, Side side) {
  const auto owner = static_cast<std::uint32_t>(keys_.size() + 1);
  keys_.push_back({digest_of(rule_and_key), 0, 0, 0, owner, side});
}

void FleetKeys::add(std::string_view rule, std::string_view key, const AddressSpan& addresses, Side side) {
  const std::string_view family = addresses.first.family == ip::Family::V4 ? "4" : "6";
  keys_.push_back(
      {digest_of({rule, key, family}), addresses.first.number, addresses.last.number, 0, kWholeCluster, side});
}

std::set<std::uint32_t> clusters_that_meet(std::vector<FleetKey>& keys) {
  std::sort(keys.begin(), keys.end(), [](const FleetKey& a, const FleetKey& b) {
    return std::tie(a.text, a.first, a.last, a.cluster, a.owner) <
           std::tie(b.text, b.first, b.last, b.cluster, b.owner);
  });
  std::set<std::uint32_t> found;
  for (auto first = keys.begin(); first != keys.end();) {
    const auto end = std::find_if(first, keys.end(), [&](const FleetKey& key) { return key.text != first->text; });
    meet({first, end}, found);
    first = end;
  }
  return found;
}

void KeysOfFleet::add(std::uint32_t cluster, std::span<const FleetKey> keys) {
  for (FleetKey key : keys) {
    key.cluster = cluster;
    if (key.has_addresses()) with_addresses_.push_back(key);
    else names_.push_back({key.text, cluster, key.owner << 2 | static_cast<std::uint32_t>(key.side)});
  }
}

FleetKey KeysOfFleet::key_of(const Name& name) {
  return {name.text, 0, 0, name.cluster, name.owner_and_side >> 2, static_cast<Side>(name.owner_and_side & 3)};
}

void KeysOfFleet::meet_by_names(std::set<std::uint32_t>& found) {
  std::sort(names_.begin(), names_.end(), [](const Name& a, const Name& b) { return a.text < b.text; });
  std::vector<FleetKey> same;
  for (auto first = names_.begin(); first != names_.end();) {
    const auto end = std::find_if(first, names_.end(), [&](const Name& name) { return name.text != first->text; });
    if (end - first > 1) {
      same.clear();
      std::transform(first, end, std::back_inserter(same), key_of);
      meet(same, found);
    }
    first = end;
  }
}

void KeysOfFleet::sort_by_cluster() {
  std::sort(names_.begin(), names_.end(), [](const Name& a, const Name& b) {
    return std::tie(a.cluster, a.owner_and_side) < std::tie(b.cluster, b.owner_and_side);
  });
  std::sort(with_addresses_.begin(), with_addresses_.end(), [](const FleetKey& a, const FleetKey& b) {
    return std::tie(a.cluster, a.text, a.first, a.last, a.side) < std::tie(b.cluster, b.text, b.first, b.last, b.side);
  });
}

std::vector<FleetKey> KeysOfFleet::of(std::uint32_t cluster) const {
  const auto by_cluster = [](const auto& key, std::uint32_t number) { return key.cluster < number; };
  std::vector<FleetKey> keys;
  for (auto name = std::lower_bound(names_.begin(), names_.end(), cluster, by_cluster);
       name != names_.end() && name->cluster == cluster; ++name)
    keys.push_back(key_of(*name));
  for (auto key = std::lower_bound(with_addresses_.begin(), with_addresses_.end(), cluster, by_cluster);
       key != with_addresses_.end() && key->cluster == cluster; ++key)
    keys.push_back(*key);
  return keys;
}

std::set<std::uint32_t> KeysOfFleet::clusters_that_meet() {
  std::set<std::uint32_t> found = lint::clusters_that_meet(with_addresses_);
  meet_by_names(found);
  return found;
}

}  // namespace capwright::lint
