// Fills in defaults. Subtrees without defaults are shared, so that most of a tree is never copied.
#include <algorithm>
#include <vector>

#include "diag/catalog/values.h"
#include "schema/program.h"
#include "schema/reach.h"
#include "schema/schema.h"

namespace capwright::schema {
namespace {

class DefaultFilling {
 public:
  DefaultFilling(const Schema& schema, Stage& stage) : schema_(schema), stage_(stage) {}

  Value fill(const NodeList& nodes, const Value& value, std::uint32_t depth) {
    if (!any_has(nodes, &Node::fills_defaults)) return value;
    if (depth > stage_.limits.depth) return endless(nodes, value);
    if (value.is(Kind::Map)) return fill_map(nodes, value, depth);
    return value.is(Kind::List) ? fill_list(nodes, value, depth) : value;
  }

 private:
  // Reports a recursive schema whose default requires itself again.
  Value endless(const NodeList& nodes, const Value& value) {
    const Value& source = nodes.front()->source;
    stage_.sink.report(diag::endless_reference, (*schema_.origins)[source.origin()].span, "default");
    return value;
  }

  Value fill_list(const NodeList& nodes, const Value& list, std::uint32_t depth) {
    NodeList below;
    for (const Node* node : nodes) {
      if (node->arrays != nullptr && node->arrays->items != nullptr) add_certain(below, *node->arrays->items);
    }
    if (!any_has(below, &Node::fills_defaults)) return list;
    std::vector<Value> items;
    for (const Value& item : list.items()) items.push_back(fill(below, item, depth + 1));
    return like(make_list(stage_.arena, items), list);
  }

  Value fill_map(const NodeList& nodes, const Value& map, std::uint32_t depth) {
    std::vector<Entry> entries(map.entries().begin(), map.entries().end());
    for (Entry& entry : entries) entry.value = fill(named(nodes, entry.key), entry.value, depth + 1);
    const std::size_t given = entries.size();
    for (const Node* node : nodes) {
      if (node->objects == nullptr) continue;
      for (const Property& property : node->objects->table.properties) {
        const std::string_view name = property.name.text();
        const auto has_name = [&](const Entry& entry) { return entry.key.text() == name; };
        const bool filled = std::any_of(entries.begin() + static_cast<std::ptrdiff_t>(given), entries.end(), has_name);
        if (property.node == nullptr || filled || map.find(name, property.name.text_rep()->hash) != nullptr) continue;
        const NodeList below = named(nodes, property.name);
        const Value* value = default_of(below);
        if (value == nullptr) continue;
        const Value filling = stamped(*value).with_taint(any_has(below, &Node::secret));
        entries.push_back({stamped_key(property.name), fill(below, filling, depth + 1)});
      }
    }
    return like(make_map(stage_.arena, entries), map);
  }

  static Value like(const Value& made, const Value& old) {
    return made.with_origin(old.origin()).with_taint(old.tainted()).with_style(old.style());
  }

  NodeList named(const NodeList& nodes, const Value& key) const {
    NodeList below;
    for (const Node* node : nodes) {
      if (node->objects == nullptr) continue;
      const Property* property = node->objects->table.find(key.text(), key.text_rep()->hash);
      if (property != nullptr && property->node != nullptr) add_certain(below, *property->node);
    }
    return below;
  }

  static const Value* default_of(const NodeList& nodes) {
    for (const Node* node : nodes) {
      if (node->notes != nullptr && node->notes->default_value != nullptr) return node->notes->default_value;
    }
    return nullptr;
  }

  OriginId origin_of(const Value& value) {
    return stage_.origins.schema_default((*schema_.origins)[value.origin()].span);
  }

  Value stamped_key(const Value& key) { return key.with_origin(origin_of(key)); }

  // The default as a value of this cluster.
  Value stamped(const Value& value) {
    if (value.is(Kind::List)) {
      std::vector<Value> items;
      for (const Value& item : value.items()) items.push_back(stamped(item));
      return make_list(stage_.arena, items).with_origin(origin_of(value));
    }
    if (value.is(Kind::Map)) {
      std::vector<Entry> entries;
      for (const Entry& entry : value.entries()) entries.push_back({stamped_key(entry.key), stamped(entry.value)});
      return make_map(stage_.arena, entries).with_origin(origin_of(value));
    }
    return value.with_origin(origin_of(value));
  }

  const Schema& schema_;
  Stage& stage_;
};

}  // namespace

Value apply_defaults(const Schema& schema, const Value& value, Stage& stage) {
  NodeList root;
  add_certain(root, *schema.root);
  return DefaultFilling(schema, stage).fill(root, value, 0);
}

}  // namespace capwright::schema
