// Look-ups by compiled paths, and the way back from a value to its path and place.
#include "lint/node.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/cluster.h"

namespace capwright::lint {
namespace {

constexpr Value kNull;

const Entry* find_entry(const Value& map, std::string_view key, std::uint32_t hash) {
  if (!map.is(Kind::Map)) return nullptr;
  const Value* value = map.find(key, hash);
  if (value == nullptr) return nullptr;
  const auto at = reinterpret_cast<const char*>(value) - reinterpret_cast<const char*>(map.entries().data());
  return &map.entries()[static_cast<std::size_t>(at) / sizeof(Entry)];
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

// Appends the way from `above` to `sought`, which is stored somewhere below it. False when it isn't.
bool find_path(const Value& above, const Value* sought, std::string& path) {
  if (&above == sought) return true;
  const std::size_t length = path.size();
  if (above.is(Kind::Map)) {
    for (const Entry& entry : above.entries()) {
      append_key(path, entry.key.text());
      if (find_path(entry.value, sought, path)) return true;
      path.resize(length);
    }
  } else if (above.is(Kind::List)) {
    const auto items = above.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
      path += fmt::format("[{}]", i);
      if (find_path(items[i], sought, path)) return true;
      path.resize(length);
    }
  }
  return false;
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
  Node node = *this;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Path::Step& step = path[i];
    if (!node.exists()) return node;
    const std::string_view rest = path.text().substr(step.begin);
    if (step.key.empty()) {
      const bool there = node.value_->is(Kind::List) && step.index < node.value_->items().size();
      if (!there) return node.missing(rest);
      node = Node(document_, &node.value_->items()[step.index], nullptr);
    } else {
      const Entry* entry = find_entry(*node.value_, step.key, step.hash);
      if (entry == nullptr || entry->value.is(Kind::Null)) return node.missing(rest);
      node = Node(document_, &entry->value, &entry->key);
    }
  }
  return node;
}

Node Node::item(std::size_t index) const {
  if (index >= size() || !is(Kind::List)) return missing({});
  return Node(document_, &value_->items()[index], nullptr);
}

Node Node::member(std::string_view key) const {
  if (!exists()) return *this;
  const Entry* entry = find_entry(*value_, key, hash_text(key));
  if (entry == nullptr || entry->value.is(Kind::Null)) return missing(key);
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
    find_path(document_->outer->value, document_->holder, path);
    path += "|";  // what follows is inside that text
  }
  find_path(document_->value, anchor_, path);
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
