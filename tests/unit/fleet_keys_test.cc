// Finds clusters with common keys; the reference is a comparison of every key with every other one.
#include "lint/engine/fleet_keys.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <random>

namespace capwright::lint {
namespace {

using Side = FleetKey::Side;

bool meet(const FleetKey& a, const FleetKey& b) {
  const bool fit = (a.side == Side::Any && b.side == Side::Any) || (a.side == Side::Asks && b.side == Side::Answers) ||
                   (a.side == Side::Answers && b.side == Side::Asks);
  const bool is_one_owner = a.cluster == b.cluster && a.owner == b.owner;
  return fit && !is_one_owner && a.text == b.text && a.first <= b.last && b.first <= a.last;
}

std::set<std::uint32_t> by_comparing_all(const std::vector<FleetKey>& keys) {
  std::set<std::uint32_t> found;
  for (const FleetKey& a : keys) {
    for (const FleetKey& b : keys) {
      if (&a != &b && meet(a, b)) found.insert(a.cluster);
    }
  }
  return found;
}

TEST_CASE("clusters with common keys are found") {
  std::mt19937 random(1);
  const auto below = [&](unsigned most) { return static_cast<std::uint32_t>(random() % most); };
  for (int round = 0; round < 3000; ++round) {
    std::vector<FleetKey> keys(below(12));
    const unsigned clusters = 1 + below(6), addresses = 1 + below(40);
    for (FleetKey& key : keys) {
      const std::uint32_t first = below(addresses);
      key = {below(3), first, first + below(1 + addresses / 4), below(clusters), below(3), static_cast<Side>(below(3))};
    }
    const std::set<std::uint32_t> expected = by_comparing_all(keys);
    REQUIRE(clusters_that_meet(keys) == expected);
  }
}

TEST_CASE("names and addresses of a fleet are found together") {
  std::mt19937 random(2);
  const auto below = [&](unsigned most) { return static_cast<std::uint32_t>(random() % most); };
  constexpr std::string_view kNames[] = {"a", "b", "c", "d"};
  for (int round = 0; round < 1000; ++round) {
    KeysOfFleet fleet;
    std::vector<FleetKey> all;
    const std::uint32_t clusters = 1 + below(5);
    for (std::uint32_t cluster = 0; cluster < clusters; ++cluster) {
      FleetKeys keys;
      for (std::uint32_t i = below(4); i > 0; --i) keys.add("rule", kNames[below(4)], static_cast<Side>(below(3)));
      for (std::uint32_t i = below(3); i > 0; --i)
        keys.add("rule", kNames[below(2)], *parse_address_span(fmt::format("10.0.{}.0/{}", below(8), 21 + below(4))));
      fleet.add(cluster, keys.all());
      for (FleetKey key : keys.all()) {
        key.cluster = cluster;
        all.push_back(key);
      }
    }
    REQUIRE(fleet.clusters_that_meet() == by_comparing_all(all));
  }
}

TEST_CASE("equal texts are found, in another cluster or the same") {
  FleetKeys keys;
  keys.add("rule", "a");
  keys.add("rule", "b");
  keys.add("other-rule", "a");
  std::vector<FleetKey> all = keys.all();
  CHECK(clusters_that_meet(all).empty());
  keys.add("rule", "b");
  all = keys.all();
  CHECK(clusters_that_meet(all) == std::set<std::uint32_t>{0});
}

TEST_CASE("addresses of one cluster don't conflict") {
  FleetKeys keys;
  keys.add("rule", "network", *parse_address_span("10.6.0.0/16"));
  keys.add("rule", "network", *parse_address_span("10.6.1.0/24"));
  std::vector<FleetKey> all = keys.all();
  CHECK(clusters_that_meet(all).empty());
  all.push_back(all.back());
  all.back().cluster = 1;
  CHECK(clusters_that_meet(all) == std::set<std::uint32_t>{0, 1});
}

}  // namespace
}  // namespace capwright::lint
