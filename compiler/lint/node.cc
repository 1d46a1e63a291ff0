// Look-ups by compiled paths, and the way back from a value to its path and place.
#include "lint/node.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/cluster.h"
#include "value/map_index.h"

namespace capwright::lint {
namespace {

constexpr Value kNull;

// A null is as good as absent.
const Entry* entry_of(const Value& map, std::string_view key, std::uint32_t hash) {
  const Entry* entry = map.is(Kind::Map) ? find_entry(*map.map_rep(), key, hash) : nullptr;
  return entry == nullptr || entry->value.is(Kind::Null) ? nullptr : entry;
}

// Keys that a path can't hold as they are stand in brackets, as the server writes them.
void append_key(std::string& path, std::string_view key) {
  if (key.find_first_of("./[") != std::string_view::npos) {
    path += fmt::format("[{}]", key);
  } else {
    if (!path.empty()) path += '.';
    path += key;
  }
}

// Where a value stands in the one above it, on the way down to another.
struct Step {
  const Value* above;
  std::size_t number;
};

// Finds the way from `above` to `sought`, which is stored somewhere below it. False when it isn't.
bool find_way(const Value& above, const Value* sought, std::vector<Step>& way) {
  if (&above == sought) return true;
  if (above.is(Kind::Map)) {
    const auto entries = above.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
      way.push_back({&above, i});
      if (find_way(entries[i].value, sought, way)) return true;
      way.pop_back();
    }
  } else if (above.is(Kind::List)) {
    const auto items = above.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      way.push_back({&above, i});
      if (find_way(items[i], sought, way)) return true;
      way.pop_back();
    }
  }
  return false;
}

void append_path(const Value& above, const Value* sought, std::string& path) {
  std::vector<Step> way;
  find_way(above, sought, way);
  for (const Step& step : way) {
    if (step.above->is(Kind::Map)) append_key(path, step.above->entries()[step.number].key.text());
    else path += fmt::format("[{}]", step.number);
  }
}

bool is_container(const Value& value) { return value.is(Kind::Map) || value.is(Kind::List); }

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
    const Node above(document_, value, key);
    if (step.key.empty()) {
      const bool there = value->is(Kind::List) && step.index < value->items().size();
      if (!there) return above.missing(path.text().substr(step.begin));
      value = &value->items()[step.index];
      key = nullptr;
    } else {
      const Entry* entry = entry_of(*value, step.key, step.hash);
      if (entry == nullptr) return above.missing(path.text().substr(step.begin));
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

Items Node::items() const { return Items(*this); }
Members Node::members() const { return Members(*this); }

std::size_t Node::size() const {
  if (is(Kind::List)) return value_->items().size();
  return is(Kind::Map) ? value_->entries().size() : 0;
}

std::string_view Node::text() const { return is(Kind::String) ? value_->text() : std::string_view(); }

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
  std::string path;
  if (document_ == nullptr) return path;
  if (document_->holder != nullptr) {
    append_path(document_->outer->value, document_->holder, path);
    path += "|";  // what follows is inside that text
  }
  append_path(document_->value, anchor_, path);
  if (missing_.empty()) return path;
  const bool is_one_key = missing_.find('/') != std::string_view::npos;
  if (is_one_key) return append_key(path, missing_), path;
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
  // An item, or a whole document: its first key, not all of its lines.
  if (anchor_->is(Kind::Map) && anchor_->entries().size() != 0) {
    if (const Span span = place_of(anchor_->entries()[0].key); span.known()) return span;
  }
  if (const Span span = place_of(*anchor_); span.known()) return span;
  return document_->span;
}

Items::Items(const Node& list)
    : document_(list.document_), items_(list.is(Kind::List) ? list.value_->items() : std::span<const Value>()) {}

Members::Members(const Node& map)
    : document_(map.document_), entries_(map.is(Kind::Map) ? map.value_->entries() : std::span<const Entry>()) {}

}  // namespace capwright::lint
