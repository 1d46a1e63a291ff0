// A breadth-first search. Schemas are shared, so the number of paths is bounded, not the number of nodes.
#include <deque>

#include "crd/decode.h"

namespace capwright::crd {
namespace {

constexpr std::size_t kMostPlaces = 5'000;

struct Spot {
  const Node* node;
  std::string path;
};

std::string joined(const std::string& path, std::string_view name) {
  return path.empty() ? std::string(name) : path + "." + std::string(name);
}

}  // namespace

std::vector<std::string> homes_of(const Node& root, std::string_view name, std::size_t most) {
  std::vector<std::string> homes;
  std::deque<Spot> open{{&root, ""}};
  for (std::size_t visited = 0; !open.empty(); ++visited) {
    if (visited == kMostPlaces) return {};
    const Spot spot = std::move(open.front());
    open.pop_front();
    for (const Property& property : spot.node->table.properties) {
      if (property.node == nullptr || (spot.path.empty() && property.name.text() == "status")) continue;
      if (property.name.text() == name) homes.push_back(spot.path);
      if (homes.size() > most) return {};
      open.push_back({property.node, joined(spot.path, property.name.text())});
    }
    if (spot.node->items != nullptr) open.push_back({spot.node->items, spot.path + "[]"});
    if (spot.node->additional != nullptr) open.push_back({spot.node->additional, spot.path + ".*"});
  }
  return homes;
}

}  // namespace capwright::crd
