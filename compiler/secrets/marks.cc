// Marks values that the schema declares secret, and values that are probably misplaced or misspelt secrets: redacting
// too much is better than showing a secret in the message about the mistake.
#include <algorithm>
#include <string_view>
#include <vector>

#include "diag/suggest.h"
#include "schema/program.h"
#include "schema/reach.h"
#include "secrets/taint.h"

namespace capwright::secrets {
namespace {

using schema::Node;
using schema::NodeList;
using schema::Nodes;
using schema::PatternProperty;
using schema::Property;
using schema::Schema;

// The names of all properties that are declared secret.
std::vector<std::string_view> secret_names(const Schema& schema) {
  std::vector<std::string_view> names;
  for (const Node& node : schema.nodes) {
    if (node.objects == nullptr) continue;
    for (const Property& property : node.objects->table.properties) {
      if (property.node != nullptr && property.node->secret) names.push_back(property.name.text());
    }
  }
  return names;
}

class SecretMarking {
 public:
  SecretMarking(const Schema& schema, Stage& stage) : schema_(schema), stage_(stage) {}

  // Every subschema that may apply counts, whether its conditions are met or not.
  Value mark(const NodeList& applying, const Value& value, std::uint32_t depth) {
    if (!value.is(Kind::Map) && !value.is(Kind::List) && !any_has(applying, &Node::marks_secrets)) return value;
    NodeList nodes;
    for (const Node* node : applying) add_all(nodes, *node);
    if (any_has(nodes, &Node::secret)) return taint(value);
    if (value.is(Kind::Map)) return mark_map(nodes, value, depth);
    if (value.is(Kind::List)) return mark_list(nodes, value, depth);
    return depth > 0 && any_has(nodes, &Node::marks_secrets) ? taint(value) : value;  // in place of a map with secrets
  }

 private:
  // Adds `node` and everything that it refers to.
  static void add_all(NodeList& list, const Node& node) {
    if (std::find(list.begin(), list.end(), &node) != list.end()) return;
    list.push_back(&node);
    for_each_in_place(node, [&](const Node& next) { add_all(list, next); });
  }

  Value mark_map(const NodeList& nodes, const Value& map, std::uint32_t depth) {
    const bool is_marking = any_has(nodes, &Node::marks_secrets), refuses_others = is_marking || refuses_unknown(nodes);
    std::vector<Entry> entries(map.entries().begin(), map.entries().end());
    for (Entry& entry : entries) {
      NodeList below;
      bool known = false;
      for (const Node* node : nodes) known = add_members(*node, entry.key, below) || known;
      if (known || !refuses_others) entry.value = mark(below, entry.value, depth + 1);
      else if (is_marking && depth > 0) entry.value = taint(entry.value);
      else entry.value = mark_misplaced(nodes, entry, depth);
    }
    return make_map(stage_.arena, entries).with_origin(map.origin()).with_style(map.style()).with_taint(map.tainted());
  }

  // Below an unknown key: treats it as the nearest known key, and marks names that are secret elsewhere.
  Value mark_misplaced(const NodeList& nodes, const Entry& entry, std::uint32_t depth) {
    if (looks_secret(entry.key.text())) return taint(entry.value);
    if (const Node* meant = node_of_nearest(nodes, entry.key.text()); meant != nullptr && meant->marks_secrets)
      return mark({meant}, entry.value, depth + 1);
    return mark_names(entry.value);
  }

  Value mark_names(const Value& value) {
    if (value.is(Kind::List)) {
      std::vector<Value> items;
      for (const Value& item : value.items()) items.push_back(mark_names(item));
      return make_list(stage_.arena, items).with_origin(value.origin()).with_style(value.style());
    }
    if (!value.is(Kind::Map)) return value;
    std::vector<Entry> entries(value.entries().begin(), value.entries().end());
    for (Entry& entry : entries)
      entry.value = looks_secret(entry.key.text()) ? taint(entry.value) : mark_names(entry.value);
    return make_map(stage_.arena, entries).with_origin(value.origin()).with_style(value.style());
  }

  static bool refuses(const Node* rest) { return rest != nullptr && rest->form == Node::Form::Refuses; }

  static bool refuses_unknown(const NodeList& nodes) {
    return std::any_of(nodes.begin(), nodes.end(), [](const Node* node) {
      return refuses(node->unevaluated_properties) || (node->objects != nullptr && refuses(node->objects->additional));
    });
  }

  // Null if no known key is similar.
  static const Node* node_of_nearest(const NodeList& nodes, std::string_view key) {
    std::vector<std::string_view> names;
    std::vector<const Node*> meant;
    for (const Node* node : nodes) {
      if (node->objects == nullptr) continue;
      for (const Property& property : node->objects->table.properties) {
        if (property.node == nullptr) continue;
        names.push_back(property.name.text());
        meant.push_back(property.node);
      }
    }
    const auto found = std::find(names.begin(), names.end(), nearest(key, names));
    return found == names.end() ? nullptr : meant[static_cast<std::size_t>(found - names.begin())];
  }

  // Whether `node` declares the key.
  static bool add_members(const Node& node, const Value& key, NodeList& below) {
    const auto accepts = [](const Node* rest) { return rest != nullptr && rest->form != Node::Form::Refuses; };
    if (node.unevaluated_properties != nullptr) below.push_back(node.unevaluated_properties);
    bool described = false;
    if (node.objects != nullptr) {
      const Property* property = node.objects->table.find(key.text(), key.text_rep()->hash);
      if (property != nullptr && property->node != nullptr) {
        below.push_back(property->node);
        described = true;
      }
      for (const PatternProperty& pattern : node.objects->patterns) {
        if (!pattern.pattern->matches(key.text())) continue;
        below.push_back(pattern.node);
        described = true;
      }
      if (!described && accepts(node.objects->additional)) {
        below.push_back(node.objects->additional);
        described = true;
      }
    }
    return described || accepts(node.unevaluated_properties);
  }

  // For a key that the schema doesn't declare here: whether it equals or nearly equals the name of a secret.
  bool looks_secret(std::string_view key) {
    if (names_.empty()) names_ = secret_names(schema_);
    return std::any_of(names_.begin(), names_.end(),
                       [&](std::string_view name) { return key.find(name) != std::string_view::npos; }) ||
           !nearest(key, names_).empty();
  }

  Value mark_list(const NodeList& nodes, const Value& list, std::uint32_t depth) {
    std::vector<Value> items(list.items().begin(), list.items().end());
    for (std::size_t i = 0; i < items.size(); ++i) {
      NodeList below;
      for (const Node* node : nodes) {
        if (node->unevaluated_items != nullptr) below.push_back(node->unevaluated_items);
        if (node->arrays == nullptr) continue;
        const Nodes prefix = node->arrays->prefix;
        const Node* item = i < prefix.size() ? prefix[i] : node->arrays->items;
        if (item != nullptr) below.push_back(item);
      }
      // A list in place of a map that contains secrets: its items are such maps, or misplaced texts.
      items[i] = below.empty() ? mark(nodes, items[i], depth) : mark(below, items[i], depth + 1);
    }
    return make_list(stage_.arena, items)
        .with_origin(list.origin())
        .with_style(list.style())
        .with_taint(list.tainted());
  }

  Value taint(const Value& value) {
    if (value.is(Kind::List)) {
      std::vector<Value> items;
      for (const Value& item : value.items()) items.push_back(taint(item));
      return make_list(stage_.arena, items).with_origin(value.origin()).with_taint();
    }
    if (value.is(Kind::Map)) {
      std::vector<Entry> entries;
      for (const Entry& entry : value.entries()) entries.push_back({entry.key.with_taint(), taint(entry.value)});
      return make_map(stage_.arena, entries).with_origin(value.origin()).with_taint();
    }
    return value.with_taint();
  }

  const Schema& schema_;
  Stage& stage_;
  std::vector<std::string_view> names_;  // computed at the first use
};

}  // namespace

Value mark_secrets(const Schema& schema, const Value& value, Stage& stage) {
  if (!schema.root->marks_secrets) return value;
  return SecretMarking(schema, stage).mark({schema.root}, value, 0);
}

}  // namespace capwright::secrets
