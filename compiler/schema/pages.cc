// Answers what a schema declares: its properties for reference pages, and whether it has a given path.
#include <algorithm>
#include <fmt/format.h>
#include <unordered_set>
#include <utility>

#include "schema/program.h"
#include "schema/reach.h"
#include "schema/schema.h"
#include "schema/words.h"

namespace capwright::schema {
namespace {

// Adds a node and all nodes that may apply with it, regardless of conditions.
void add_with_all(NodeList& list, const Node* node) {
  if (node == nullptr || std::find(list.begin(), list.end(), node) != list.end()) return;
  list.push_back(node);
  for_each_in_place(*node, [&](const Node& next) { add_with_all(list, &next); });
}

// The nodes that apply to every value of these nodes.
NodeList certain(const NodeList& nodes) {
  NodeList list;
  for (const Node* node : nodes) add_certain(list, *node);
  return list;
}

const Annotations* first_with(const NodeList& nodes, bool (*has)(const Annotations&)) {
  for (const Node* node : nodes) {
    if (node->notes != nullptr && has(*node->notes)) return node->notes;
  }
  return nullptr;
}

class Pages {
 public:
  std::vector<PropertyPage> all(const Node& root) {
    add_below({&root}, "");
    return std::move(pages_);
  }

 private:
  void add_members(const NodeList& nodes, const std::string& path) {
    std::vector<std::string_view> names;
    for (const Node* node : nodes) {
      if (node->objects == nullptr) continue;
      for (const Property& property : node->objects->table.properties) {
        const bool is_new = std::find(names.begin(), names.end(), property.name.text()) == names.end();
        if (property.node != nullptr && is_new) names.push_back(property.name.text());
      }
    }
    for (const std::string_view name : names)
      add_member(nodes, name, path.empty() ? std::string(name) : path + "." + std::string(name));
    for (const Node* node : nodes) {
      if (node->objects == nullptr) continue;
      for (const PatternProperty& pattern : node->objects->patterns) add_below({pattern.node}, path + ".*");
      if (node->objects->additional != nullptr) add_below({node->objects->additional}, path + ".*");
    }
  }

  void add_member(const NodeList& parents, std::string_view name, const std::string& path) {
    NodeList own;
    bool required = false;
    for (const Node* parent : parents) {
      if (parent->objects == nullptr) continue;
      const Property* property = parent->objects->table.find(name, hash_text(name));
      if (property == nullptr) continue;
      if (property->node != nullptr) own.push_back(property->node);
      required |= property->required;
    }
    PropertyPage page = describe(own);
    page.path = path;
    page.required = required;
    pages_.push_back(std::move(page));
    add_below(own, path);
  }

  // Adds the content of a value: its members, and those of its items.
  void add_below(const NodeList& own, const std::string& path) {
    NodeList items;
    NodeList nodes = certain(own);
    // Of a recursive schema, or of one that also applies to a value around this one.
    std::erase_if(nodes, [&](const Node* node) { return open_.contains(node); });
    open_.insert(nodes.begin(), nodes.end());
    add_members(nodes, path);
    for (const Node* node : nodes) {
      if (node->arrays != nullptr && node->arrays->items != nullptr) items.push_back(node->arrays->items);
    }
    if (!items.empty()) add_below(items, path + "[]");
    for (const Node* node : nodes) open_.erase(node);
  }

  static PropertyPage describe(const NodeList& own) {
    const NodeList nodes = certain(own);
    PropertyPage page;
    page.takes = takes(own);
    if (const auto* notes = first_with(nodes, [](const Annotations& a) { return !a.title.empty(); }))
      page.title = notes->title;
    if (const auto* notes = first_with(nodes, [](const Annotations& a) { return !a.description.empty(); }))
      page.description = notes->description;
    if (const auto* notes = first_with(nodes, [](const Annotations& a) { return a.default_value != nullptr; }))
      page.default_value = notes->default_value;
    if (const auto* notes = first_with(nodes, [](const Annotations& a) { return !a.examples.empty(); }))
      page.examples = notes->examples;
    if (const auto* notes = first_with(nodes, [](const Annotations& a) { return !a.normalized_from.empty(); }))
      page.normalized_from = notes->normalized_from;
    if (const auto* notes = first_with(nodes, [](const Annotations& a) { return !a.normalized_to.empty(); }))
      page.normalized_to = notes->normalized_to;
    page.deprecated = first_with(nodes, [](const Annotations& a) { return a.deprecated; }) != nullptr;
    for (const Node* node : nodes) {
      page.secret |= node->secret;
      page.forbidden |= node->form == Node::Form::Refuses;
    }
    return page;
  }

  // Describes a valid value; for a list or a map of scalars also its elements.
  static std::string takes(const NodeList& own) {
    std::string text;
    for (const Node* node : own) {
      if (text.empty()) text = expectation(*node);
    }
    const bool is_list = text == type_words(kArray), is_map = text == type_words(kObject);
    if (!is_list && !is_map) return text;
    for (const Node* node : certain(own)) {
      const Node* inside = nullptr;
      if (is_list && node->arrays != nullptr) inside = node->arrays->items;
      else if (is_map && node->objects != nullptr) inside = node->objects->additional;
      const std::string each = inside != nullptr ? expectation(*inside) : "";
      if (is_list && each == type_words(kObject)) return "a list of maps";
      if (!each.empty()) return fmt::format("{}: each {}", text, each);
    }
    return text;
  }

  std::vector<PropertyPage> pages_;
  std::unordered_set<const Node*> open_;
};

bool is_item_step(std::string_view step) {
  return step == "[]" ||
         (!step.empty() && std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

// The nodes one step down; sets `open` if a map accepts the key without naming it.
NodeList step_into(const NodeList& nodes, std::string_view step, bool& open) {
  NodeList next;
  bool closed = false, described = false;
  for (const Node* node : nodes) {
    if (node->arrays != nullptr && is_item_step(step)) add_with_all(next, node->arrays->items);
    if (node->objects == nullptr) continue;
    described = true;
    const Property* property = node->objects->table.find(step, hash_text(step));
    if (property != nullptr && property->node != nullptr && property->node->form != Node::Form::Refuses) {
      add_with_all(next, property->node);
    }
    for (const PatternProperty& pattern : node->objects->patterns) {
      if (pattern.pattern->matches(step)) add_with_all(next, pattern.node);
    }
    const Node* additional = node->objects->additional;
    closed |= additional != nullptr && additional->form == Node::Form::Refuses;
  }
  open = next.empty() && !closed;
  if (!open || !described) return next;
  for (const Node* node : nodes) {
    if (node->objects != nullptr) add_with_all(next, node->objects->additional);
  }
  return next;
}

// Valid names in place of an unknown key.
std::vector<std::string_view> usable_names(const NodeList& nodes) {
  std::vector<std::string_view> names;
  for (const Node* node : nodes) {
    if (node->objects == nullptr) continue;
    for (const Property& property : node->objects->table.properties) {
      const bool usable = property.node != nullptr && property.node->form != Node::Form::Refuses;
      if (usable) names.push_back(property.name.text());
    }
  }
  return names;
}

// `allowedCIDRs`, `allowed-cidrs` and `allowed_cidrs` are one key to a reader.
std::string without_case(std::string_view key) {
  std::string folded;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') folded += static_cast<char>(c + ('a' - 'A'));
    else if (c != '_' && c != '-') folded += c;
  }
  return folded;
}

std::string_view last_key(std::string_view path) {
  while (path.ends_with("[]")) path.remove_suffix(2);
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

}  // namespace

std::string without_numbers(std::string_view path) {
  std::string generic;
  for (const char c : path) {
    const bool is_number = !generic.empty() && generic.back() == '[' && c >= '0' && c <= '9';
    if (!is_number) generic += c;
  }
  return generic;
}

bool is_same_key(std::string_view a, std::string_view b) { return without_case(a) == without_case(b); }

KeyPaths::KeyPaths(const Node& root) {
  std::size_t number = 0;
  for (const PropertyPage& page : Pages().all(root)) {
    if (page.forbidden) continue;
    is_secret_[page.path] = page.secret;
    const Declared declared{page.path, std::count(page.path.begin(), page.path.end(), '.'), number++};
    add(by_name_, without_case(last_key(page.path)), declared);
    for (const Value& form : page.normalized_from) add(by_short_form_, std::string(form.text()), declared);
  }
  if (root.notes == nullptr || root.notes->also_called == nullptr) return;
  for (const Entry& entry : root.notes->also_called->entries()) {
    if (!has(entry.key.text())) continue;  // the set doesn't support it
    for (const Value& name : entry.value.items())
      by_other_name_[without_case(name.text())].emplace_back(entry.key.text());
  }
}

std::vector<std::string> KeyPaths::meant_by(std::string_view path) const {
  std::vector<std::string> meant;
  if (const auto known = by_other_name_.find(without_case(path)); known != by_other_name_.end()) meant = known->second;
  return meant;
}

void KeyPaths::add(Index& index, std::string key, const Declared& declared) {
  const auto [known, is_new] = index.try_emplace(std::move(key), declared);
  if (!is_new && declared.depth < known->second.depth) known->second = declared;
}

// `pod_cidr` for `pod_cidrs`, and the other way round.
std::string KeyPaths::find(std::string_view key) const {
  const std::string same = find_exactly(key);
  if (!same.empty() || key.empty()) return same;
  return key.back() == 's' ? find_exactly(key.substr(0, key.size() - 1)) : find_exactly(std::string(key) + "s");
}

std::string KeyPaths::find_exactly(std::string_view key) const {
  const auto name = by_name_.find(without_case(key));
  const auto form = by_short_form_.find(std::string(key));
  if (form == by_short_form_.end()) return name == by_name_.end() ? std::string() : name->second.path;
  const auto rank = [](const Declared& declared) { return std::pair(declared.depth, declared.number); };
  const bool is_form = name == by_name_.end() || rank(form->second) < rank(name->second);
  return is_form ? form->second.path : name->second.path;
}

std::string path_of_key(const Schema& schema, std::string_view key) { return KeyPaths(*schema.root).find(key); }

std::vector<PropertyPage> property_pages(const Schema& schema) { return Pages().all(*schema.root); }

Declaration find_declaration(const Schema& schema, std::span<const std::string_view> path) {
  Declaration result;
  NodeList nodes;
  add_with_all(nodes, schema.root);
  for (const std::string_view step : path) {
    bool open = false;
    NodeList next = step_into(nodes, step, open);
    if (open) result.declared = Declared::Open;
    if (next.empty() && !open) {
      result.declared = Declared::No;
      result.candidates = usable_names(nodes);
    }
    if (next.empty()) return result;
    ++result.known;
    nodes = std::move(next);
  }
  return result;
}

}  // namespace capwright::schema
