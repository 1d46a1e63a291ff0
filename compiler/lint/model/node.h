// The input of rules: a value of a document with its place, so that any value that a rule reads can be reported. The
// Node of a missing value knows its nearest existing parent and the path that was requested.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/on_demand.h"
#include "lint/model/path.h"
#include "source/source.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright::lint {

class Cluster;
class Object;
class Members;
class Items;
class ParentIndex;
struct File;

// A YAML document: of a rendered file or manifest, of a cluster's values, or of a text inside another document.
struct Document {
  Value value;
  Span span;                             // of its content
  const OriginTable* origins = nullptr;  // of its values
  const Cluster* cluster = nullptr;
  const File* file = nullptr;       // the file with the document; null: values
  const Value* holder = nullptr;    // the String that contains the document; null: none
  const Document* outer = nullptr;  // the document of the holder
  const Object* object = nullptr;   // null: the document has no kind, or is inside another

  struct Paths {
    std::shared_ptr<const ParentIndex> parents;  // from values to the root
    std::uint8_t lookups = 0;                    // counts up to the number that makes `parents` worthwhile
  };
  OnDemand<Paths> paths = {};
};

class Node {
 public:
  Node() = default;
  explicit Node(const Document& document) : document_(&document), value_(&document.value), anchor_(&document.value) {}

  bool exists() const { return value_ != nullptr; }
  explicit operator bool() const { return exists(); }

  // A value below it. A missing field, or a null, which is equivalent for Kubernetes, gives a Node that doesn't exist.
  Node operator[](const Path& path) const;
  Node item(std::size_t index) const;
  // One key with any characters: a label, a file name. The key must outlive the Node.
  Node member(std::string_view key) const;
  Node member(std::string&&) const = delete;

  // In order; empty unless it is a list or a map: `for (const Node item : node.items())`, `for (const auto& [key,
  // value] : node.members())`.
  Items items() const;
  Members members() const;
  std::size_t size() const;  // of a list or map; otherwise 0

  // Its string; empty when it is absent or of another type.
  std::string_view text() const { return is(Kind::String) ? value_->text() : std::string_view(); }
  std::optional<std::int64_t> integer() const;
  std::optional<bool> boolean() const;
  bool is(Kind kind) const { return exists() && value_->is(kind); }
  bool is_true() const { return boolean().value_or(false); }
  // Any scalar as written, without quotes: `1.30`, `yes`.
  std::string written() const;
  const Value& value() const;  // null value when it is absent

  // The YAML or JSON inside a String, such as `stringData["clouds.yaml"]`; with decoded_yaml(), inside a String in
  // base64. Absent when it isn't a String or is invalid.
  Node yaml() const;
  Node decoded_yaml() const;

  // "spec.ports[0].name", also for a missing value.
  std::string path() const;
  // The span of a scalar, or of the key of a list or map; for a missing value, of the nearest existing parent.
  Span span() const;
  // The key of the value, and its place; empty and unknown for a root, an item, and a missing value.
  std::string_view key() const { return exists() && key_ != nullptr ? key_->text() : std::string_view(); }
  Span key_span() const { return exists() && key_ != nullptr ? place_of(*key_) : Span(); }
  // The complete span, also of a list or map.
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
  const Value* anchor_ = nullptr;  // the value itself, or its nearest existing parent
  const Value* key_ = nullptr;     // of the anchor; null: a root or an item
  std::string_view missing_;       // the path that was requested below the anchor
};

// The items of a list.
class Items {
 public:
  class Iterator {
   public:
    Iterator(const Document* document, const Value* at) : document_(document), at_(at) {}
    Node operator*() const { return Node(document_, at_, nullptr); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
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
    Iterator& operator++() {
      ++at_;
      return *this;
    }
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
