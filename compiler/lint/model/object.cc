// The properties of an object, and two sorted lists of objects.
#include "lint/model/object.h"

#include <algorithm>
#include <compare>
#include <fmt/format.h>
#include <tuple>

#include "lint/model/cluster.h"

namespace capwright::lint {
namespace {

// Orders texts by size first: most differ in size, and this order is compared often.
struct BySize {
  std::string_view text;
  friend bool operator==(BySize, BySize) = default;
  friend std::strong_ordering operator<=>(BySize a, BySize b) {
    const std::strong_ordering sizes = a.text.size() <=> b.text.size();
    return sizes != 0 ? sizes : a.text <=> b.text;
  }
};

BySize kind_of(const Object& object) { return {object.kind()}; }

using Identity = std::tuple<BySize, BySize, BySize>;
Identity identity(std::string_view kind, std::string_view space, std::string_view name) {
  return {BySize{kind}, BySize{name}, BySize{space}};
}
Identity identity_of(const Object& object) { return identity(object.kind(), object.space(), object.name()); }

template <class Key, class KeyOf>
Objects equal_range_of(const std::vector<const Object*>& sorted, const Key& wanted, KeyOf key_of) {
  const auto begin =
      std::partition_point(sorted.begin(), sorted.end(), [&](const Object* o) { return key_of(*o) < wanted; });
  const auto end = std::partition_point(begin, sorted.end(), [&](const Object* o) { return key_of(*o) == wanted; });
  return {begin, end};
}

}  // namespace

Object::Object(const Document& document) : document_(&document) {
  const Node root(document);
  api_version_ = root["apiVersion"].text();
  const std::size_t slash = api_version_.rfind('/');
  group_ = slash == std::string_view::npos ? std::string_view() : api_version_.substr(0, slash);
  version_ = slash == std::string_view::npos ? api_version_ : api_version_.substr(slash + 1);
  kind_ = root["kind"].text();
  name_ = root["metadata.name"].text();
  namespace_ = root["metadata.namespace"].text();
  if (const crd::Registry* registry = cluster().context().registry; registry != nullptr)
    known_versions_ = registry->versions(group_, kind_);
}

void Object::look_around() const { cluster().look_around(); }

Node Object::place() const {
  const Node name = (*this)["metadata.name"];
  return name.exists() ? name : (*this)["kind"];
}

std::string Object::title() const {
  return name_.empty() ? fmt::format("this {}", kind_) : fmt::format("{} `{}`", kind_, name_);
}

ObjectIndex::ObjectIndex(Objects objects)
    : by_kind_(objects.begin(), objects.end()), by_name_(objects.begin(), objects.end()) {
  std::stable_sort(by_kind_.begin(), by_kind_.end(),
                   [](const Object* a, const Object* b) { return kind_of(*a) < kind_of(*b); });
  std::stable_sort(by_name_.begin(), by_name_.end(),
                   [](const Object* a, const Object* b) { return identity_of(*a) < identity_of(*b); });
}

Objects ObjectIndex::of_kind(std::string_view kind) const { return equal_range_of(by_kind_, BySize{kind}, kind_of); }

Objects ObjectIndex::named(std::string_view kind, std::string_view space, std::string_view name) const {
  return equal_range_of(by_name_, identity(kind, space, name), identity_of);
}

}  // namespace capwright::lint
