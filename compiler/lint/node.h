// What rules read: a value of a document together with its place, so that whatever a rule looks at it can also report.
// A Node that found nothing is one too: it knows what is above it, and what was looked for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "lint/path.h"
#include "source/source.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright::lint {

class Cluster;
class Object;
class Members;
class Items;
class Ways;
struct File;

// One YAML document: of a rendered file or manifest, a cluster's values, or a text inside another document.
struct Document {
  Value value;
  Span span;                             // of its content
  const OriginTable* origins = nullptr;  // of its values
  const Cluster* cluster = nullptr;
  const File* file = nullptr;                          // that it is in; null: values
  const Value* holder = nullptr;                       // the String that it stands in; null: none
  const Document* outer = nullptr;                     // of the holder
  const Object* object = nullptr;                      // that it is; null: it has no kind, or stands inside another
  mutable std::shared_ptr<const Ways> ways = nullptr;  // from its values up to it, once many paths are asked for
  mutable std::uint8_t paths_asked = 0;                // up to as many as make `ways` worth while
};

class Node {
 public:
  Node() = default;
  explicit Node(const Document& document) : document_(&document), value_(&document.value), anchor_(&document.value) {}

  bool exists() const { return value_ != nullptr; }
  explicit operator bool() const { return exists(); }

  // Below it; where there is no such field, or a null, which means the same to Kubernetes, a Node that doesn't exist.
  Node operator[](const Path& path) const;
  Node item(std::size_t index) const;
  // One key, whatever it holds: a label, a file name. The key must outlive the Node.
  Node member(std::string_view key) const;
  Node member(std::string&&) const = delete;

  // In order; empty unless it is a list or a map. `for (const Node item : node.items())`,
  // `for (const auto& [key, value] : node.members())`.
  Items items() const;
  Members members() const;
  std::size_t size() const;  // of a list or map; else 0

  // What it holds; empty when it is absent or of another type.
  std::string_view text() const { return is(Kind::String) ? value_->text() : std::string_view(); }
  std::optional<std::int64_t> integer() const;
  std::optional<bool> boolean() const;
  bool is(Kind kind) const { return exists() && value_->is(kind); }
  bool is_true() const { return boolean().value_or(false); }
  // Any scalar as it is written, without quotes: `1.30`, `yes`.
  std::string written() const;
  const Value& value() const;  // Null when it is absent

  // The YAML or JSON inside a String, such as `stringData["clouds.yaml"]`; with decoded_yaml(), inside a String that is
  // base64. Absent when it is no String or can't be read.
  Node yaml() const;
  Node decoded_yaml() const;

  // "spec.ports[0].name", also of what is missing.
  std::string path() const;
  // A scalar, the key of a list or map; of what is missing, the nearest place above.
  Span span() const;
  // The key that it stands at, and the place of that; empty and unknown for a root, an item, and what is missing.
  std::string_view key() const { return exists() && key_ != nullptr ? key_->text() : std::string_view(); }
  Span key_span() const { return exists() && key_ != nullptr ? place_of(*key_) : Span(); }
  // All of it, also of a list or map.
  Span whole_span() const { return exists() ? place_of(*value_) : Span(); }
  const Document* document() const { return document_; }

  friend bool operator==(const Node& a, const Node& b) { return a.exists() && a.value_ == b.value_; }

 private:
  friend class Items;
  friend class Members;
  Node(const Document* document, const Value* value, const Value* key)
      : document_(document), value_(value), anchor_(value), key_(key) {}
  Node missing(std::string_view rest) const;
  Span place_of(const Value& value) const;

  const Document* document_ = nullptr;
  const Value* value_ = nullptr;   // null: absent
  const Value* anchor_ = nullptr;  // the value itself, or the nearest above it
  const Value* key_ = nullptr;     // of the anchor; null: a root or an item
  std::string_view missing_;       // what was looked for below the anchor
};

// The items of a list.
class Items {
 public:
  class Iterator {
   public:
    Iterator(const Document* document, const Value* at) : document_(document), at_(at) {}
    Node operator*() const { return Node(document_, at_, nullptr); }
    Iterator& operator++() { return ++at_, *this; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const Document* document_;
    const Value* at_;
  };
  explicit Items(const Node& list);
  Iterator begin() const { return {document_, items_.data()}; }
  Iterator end() const { return {document_, items_.data() + items_.size()}; }

 private:
  const Document* document_;
  std::span<const Value> items_;
};

struct Member {
  std::string_view key;
  Node value;
};

// The members of a map.
class Members {
 public:
  class Iterator {
   public:
    Iterator(const Document* document, const Entry* at) : document_(document), at_(at) {}
    Member operator*() const { return {at_->key.text(), Node(document_, &at_->value, &at_->key)}; }
    Iterator& operator++() { return ++at_, *this; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const Document* document_;
    const Entry* at_;
  };
  explicit Members(const Node& map);
  Iterator begin() const { return {document_, entries_.data()}; }
  Iterator end() const { return {document_, entries_.data() + entries_.size()}; }

 private:
  const Document* document_;
  std::span<const Entry> entries_;
};

inline Items::Items(const Node& list)
    : document_(list.document_), items_(list.is(Kind::List) ? list.value_->items() : std::span<const Value>()) {}

inline Members::Members(const Node& map)
    : document_(map.document_), entries_(map.is(Kind::Map) ? map.value_->entries() : std::span<const Entry>()) {}

inline Items Node::items() const { return Items(*this); }
inline Members Node::members() const { return Members(*this); }

}  // namespace capwright::lint
