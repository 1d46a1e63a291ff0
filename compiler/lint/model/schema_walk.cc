// Conditions (`if`, `not`) declare nothing, so they are skipped.
#include "lint/model/schema_walk.h"

#include <algorithm>

namespace capwright::lint {
namespace {

void add(std::vector<const schema::Node*>& nodes, const schema::Node* node) {
  if (node == nullptr || std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return;
  nodes.push_back(node);
  if (node->combination == nullptr) return;
  const schema::Combination& combination = *node->combination;
  add(nodes, combination.reference);
  for (const schema::Nodes& list : {combination.all_of, combination.any_of, combination.one_of}) {
    for (const schema::Node* each : list) add(nodes, each);
  }
}

class Walk {
 public:
  explicit Walk(const std::function<bool(const Declared&)>& visit) : visit_(visit) {}

  void run(const Declared& place) {
    if (place.nodes.empty() || std::find(around_.begin(), around_.end(), place.nodes) != around_.end()) return;
    if (!visit_(place)) return;
    around_.push_back(place.nodes);
    properties(place);
    others(place);
    around_.pop_back();
  }

 private:
  void properties(const Declared& place) {
    std::vector<Declared> below;
    for (const schema::Node* node : place.nodes) {
      if (node->objects == nullptr) continue;
      for (const schema::Property& property : node->objects->table.properties) {
        if (property.node == nullptr || property.node->form == schema::Node::Form::Refuses) continue;
        const std::string path = place.path + (place.path.empty() ? "" : ".") + std::string(property.name.text());
        auto known = std::find_if(below.begin(), below.end(), [&](const Declared& one) { return one.path == path; });
        if (known == below.end()) known = below.insert(below.end(), Declared{path, {}, &property});
        add(known->nodes, property.node);
      }
    }
    for (const Declared& one : below) run(one);
  }

  // Items, and members with any key.
  void others(const Declared& place) {
    Declared items{place.path + "[]", {}, nullptr};
    for (const schema::Node* node : place.nodes) {
      if (node->arrays != nullptr) {
        add(items.nodes, node->arrays->items);
        for (const schema::Node* item : node->arrays->prefix) add(items.nodes, item);
      }
      if (node->objects == nullptr) continue;
      add(items.nodes, node->objects->additional);
      for (const schema::PatternProperty& pattern : node->objects->patterns) add(items.nodes, pattern.node);
    }
    run(items);
  }

  const std::function<bool(const Declared&)>& visit_;
  std::vector<std::vector<const schema::Node*>> around_;
};

}  // namespace

void walk_schema(const schema::Schema& schema, const std::function<bool(const Declared&)>& visit) {
  Declared root;
  add(root.nodes, schema.root);
  Walk(visit).run(root);
}

}  // namespace capwright::lint
