// Lookups by compiled paths, and from a value back to its path and place.
#include "lint/model/node.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <utility>
#include <vector>

#include "crd/object_place.h"
#include "lint/model/cluster.h"
#include "value/map_index.h"

namespace capwright::lint {
namespace {

constexpr Value kNull;

// A null is equivalent to a missing value.
const Entry* entry_of(const Value& map, std::string_view key, std::uint32_t hash) {
  const Entry* entry = map.is(Kind::Map) ? find_entry(*map.map_rep(), key, hash) : nullptr;
  return entry == nullptr || entry->value.is(Kind::Null) ? nullptr : entry;
}

// An entry of a map, or an item of a list.
void append_step(const Value& above, std::size_t number, std::string& path) {
  if (above.is(Kind::Map)) crd::append_key(path, above.entries()[number].key.text());
  else fmt::format_to(std::back_inserter(path), "[{}]", number);
}

bool is_container(const Value& value) { return value.is(Kind::Map) || value.is(Kind::List); }

}  // namespace

// The path from any value of a document to the document. A value doesn't know its parent, but items, and the entries of
// a map, are stored contiguously, so the address of a value determines its parent and index.
class ParentIndex {
 public:
  explicit ParentIndex(const Value& root) : root_(&root) {
    constexpr std::size_t kUsual = 64;
    all_.reserve(kUsual);
    add(root);
    std::stable_sort(all_.begin(), all_.end(), [](const Parent& a, const Parent& b) { return a.begin < b.begin; });
    // A value that several aliases share counts at its first occurrence.
    const auto is_same = [](const Parent& a, const Parent& b) { return a.begin == b.begin; };
    all_.erase(std::unique(all_.begin(), all_.end(), is_same), all_.end());
  }

  // For a value stored below the root; appends nothing for the root and unknown values. Recurses as deep as values
  // nest.
  void append_path(const Value* sought, std::string& path) const {
    const Parent* parent = sought == root_ ? nullptr : parent_of(sought);
    if (parent == nullptr) return;
    append_path(parent->above, path);
    const std::size_t size = parent->above->is(Kind::Map) ? sizeof(Entry) : sizeof(Value);
    append_step(*parent->above, (reinterpret_cast<std::uintptr_t>(sought) - parent->begin) / size, path);
  }

 private:
  // The values stored in [begin, end) belong to the list or map `above`.
  struct Parent {
    std::uintptr_t begin, end;
    const Value* above;
  };

  const Parent* parent_of(const Value* sought) const {
    const auto place = reinterpret_cast<std::uintptr_t>(sought);
    const auto behind = std::upper_bound(all_.begin(), all_.end(), place,
                                         [](std::uintptr_t at, const Parent& parent) { return at < parent.begin; });
    if (behind == all_.begin() || std::prev(behind)->end <= place) return nullptr;
    return &*std::prev(behind);
  }

  template <class Stored>
  void add(std::span<const Stored> stored, const Value& above) {
    const auto begin = reinterpret_cast<std::uintptr_t>(stored.data());
    if (!stored.empty()) all_.push_back({begin, begin + stored.size_bytes(), &above});
  }
  // Follows aliases repeatedly; the reader limits their expansion.
  void add(const Value& value) {
    if (value.is(Kind::Map)) {
      add(value.entries(), value);
      for (const Entry& entry : value.entries()) add(entry.value);
    } else if (value.is(Kind::List)) {
      add(value.items(), value);
      for (const Value& item : value.items()) add(item);
    }
  }

  const Value* root_;
  std::vector<Parent> all_;  // by place
};

namespace {

// The entry or item of a map or list that stores `sought`; empty if it is stored elsewhere.
template <class Stored>
std::optional<std::size_t> number_of(std::span<const Stored> stored, const Value* sought) {
  const auto begin = reinterpret_cast<std::uintptr_t>(stored.data()), place = reinterpret_cast<std::uintptr_t>(sought);
  if (place < begin || place >= begin + stored.size_bytes()) return std::nullopt;
  return (place - begin) / sizeof(Stored);
}

// The first few paths of a document are searched directly, from `sought` up to `above`, without building the index.
struct Step {
  const Value* above;
  std::size_t number;
};
bool find_steps(const Value& above, const Value* sought, std::vector<Step>& steps) {
  const auto look = [&](auto stored, auto value_of) {
    auto number = number_of(stored, sought);
    for (std::size_t i = 0; i < stored.size() && !number; ++i) {
      const Value& below = value_of(stored[i]);
      if (is_container(below) && find_steps(below, sought, steps)) number = i;
    }
    if (number) steps.push_back({&above, *number});
    return number.has_value();
  };
  if (above.is(Kind::Map)) return look(above.entries(), [](const Entry& entry) -> const Value& { return entry.value; });
  return above.is(Kind::List) && look(above.items(), [](const Value& item) -> const Value& { return item; });
}

void append_path(const Document& document, const Value* sought, std::string& path) {
  constexpr std::uint8_t kFew = 2;
  Document::Paths& paths = *document.paths;
  if (paths.parents == nullptr && paths.lookups++ >= kFew)
    paths.parents = std::make_shared<const ParentIndex>(document.value);
  if (paths.parents != nullptr) return paths.parents->append_path(sought, path);
  if (sought == &document.value) return;
  std::vector<Step> steps;
  steps.reserve(16);
  find_steps(document.value, sought, steps);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) append_step(*step->above, step->number, path);
}

}  // namespace

Node Node::missing(std::string_view rest) const {
  Node node = *this;
  node.value_ = nullptr;
  if (exists()) node.missing_ = rest;
  return node;
}

Node Node::operator[](const Path& path) const {
  if (!exists()) return *this;
  const Value* value = value_;
  const Value* key = key_;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Path::Step step = path[i];
    if (step.key.empty()) {
      const bool there = value->is(Kind::List) && step.index < value->items().size();
      if (!there) return Node(document_, value, key).missing(path.text().substr(step.begin));
      value = &value->items()[step.index];
      key = nullptr;
    } else {
      const Entry* entry = entry_of(*value, step.key, step.hash);
      if (entry == nullptr) return Node(document_, value, key).missing(path.text().substr(step.begin));
      value = &entry->value;
      key = &entry->key;
    }
  }
  return Node(document_, value, key);
}

Node Node::item(std::size_t index) const {
  if (index >= size() || !is(Kind::List)) return missing({});
  return Node(document_, &value_->items()[index], nullptr);
}

Node Node::member(std::string_view key) const {
  if (!exists()) return *this;
  const Entry* entry = entry_of(*value_, key, hash_text(key));
  if (entry == nullptr) return missing(key);
  return Node(document_, &entry->value, &entry->key);
}

std::size_t Node::size() const {
  if (is(Kind::List)) return value_->items().size();
  return is(Kind::Map) ? value_->entries().size() : 0;
}

std::optional<std::int64_t> Node::integer() const {
  if (is(Kind::Int)) return value_->as_int();
  if (!is(Kind::Float) || value_->as_float() != static_cast<double>(static_cast<std::int64_t>(value_->as_float())))
    return std::nullopt;
  return static_cast<std::int64_t>(value_->as_float());
}

std::optional<bool> Node::boolean() const { return is(Kind::Bool) ? std::optional(value_->as_bool()) : std::nullopt; }

std::string Node::written() const {
  if (!exists()) return {};
  if (is(Kind::String)) return std::string(value_->text());
  return std::string(document_->cluster->sources().text(place_of(*value_)));
}

const Value& Node::value() const { return exists() ? *value_ : kNull; }

Node Node::yaml() const { return is(Kind::String) ? document_->cluster->text_inside(*this, false) : missing({}); }
Node Node::decoded_yaml() const {
  return is(Kind::String) ? document_->cluster->text_inside(*this, true) : missing({});
}

std::string Node::path() const {
  constexpr std::size_t kUsual = 48;
  std::string path;
  if (document_ == nullptr) return path;
  path.reserve(kUsual);
  if (document_->holder != nullptr) {
    append_path(*document_->outer, document_->holder, path);
    path += "|";  // the rest of the path is inside that text
  }
  append_path(*document_, anchor_, path);
  if (missing_.empty()) return path;
  const bool is_one_key = missing_.find('/') != std::string_view::npos;
  if (is_one_key) {
    crd::append_key(path, missing_);
    return path;
  }
  return path + (path.empty() || path.ends_with('|') || missing_.starts_with('[') ? "" : ".") + std::string(missing_);
}

Span Node::place_of(const Value& value) const {
  const Origin& origin = (*document_->origins)[value.origin()];
  if (origin.span.known()) return origin.span;
  for (const OriginId leaf : document_->origins->leaves(value.origin())) return (*document_->origins)[leaf].span;
  return {};
}

Span Node::span() const {
  if (document_ == nullptr) return {};
  if (!is_container(*anchor_)) {
    if (const Span span = place_of(*anchor_); span.known()) return span;
  }
  if (key_ != nullptr) {
    if (const Span span = place_of(*key_); span.known()) return span;
  }
  // For an item or a whole document: its first key instead of all its lines.
  if (anchor_->is(Kind::Map) && anchor_->entries().size() != 0) {
    if (const Span span = place_of(anchor_->entries()[0].key); span.known()) return span;
  }
  if (const Span span = place_of(*anchor_); span.known()) return span;
  return document_->span;
}

}  // namespace capwright::lint
