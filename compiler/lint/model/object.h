// One Kubernetes object as rules see it, and lookup of objects by kind and name.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/on_demand.h"
#include "crd/registry.h"
#include "lint/model/memo.h"
#include "lint/model/node.h"

namespace capwright::lint {

// A document that is a Kubernetes object: it has a kind.
class Object {
 public:
  explicit Object(const Document& document);

  std::string_view group() const { return group_; }  // empty for the core group
  std::string_view version() const { return version_; }
  std::string_view kind() const { return kind_; }
  std::string_view name() const { return name_; }
  std::string_view space() const { return namespace_; }  // its namespace; empty: not set
  std::string_view api_version() const { return api_version_; }

  Node root() const { return Node(*document_); }
  Node operator[](const Path& path) const { return root()[path]; }
  Node label(std::string_view key) const { return root()["metadata.labels"].member(key); }
  Node annotation(std::string_view key) const { return root()["metadata.annotations"].member(key); }

  // All versions of the kind in Context::registry; empty if it is unknown, or there is no registry.
  std::span<const crd::KindVersion> known_versions() const { return known_versions_; }

  // Where to report the object as a whole: its name, or its kind when it has no name.
  Node place() const;
  // "KubeadmControlPlane `prod`".
  std::string title() const;
  const File& file() const { return *document_->file; }
  const Cluster& cluster() const { return *document_->cluster; }
  // The result of `find_out` for the object alone, computed once.
  template <class Answer>
  const Answer& memo(Answer (*find_out)(const Object&)) const {
    return (*memo_)(*this, find_out);
  }
  // The same for a result that also depends on other objects.
  template <class Answer>
  const Answer& memo_of_surroundings(Answer (*find_out)(const Object&)) const {
    look_around();
    return (*memo_)(*this, find_out);
  }

 private:
  void look_around() const;

  const Document* document_;
  OnDemand<Memo> memo_;
  std::string_view group_, version_, kind_, name_, namespace_, api_version_;
  std::span<const crd::KindVersion> known_versions_;
};

using Objects = std::span<const Object* const>;

// Objects by kind and by name, each in their original order.
class ObjectIndex {
 public:
  explicit ObjectIndex(Objects objects);
  Objects of_kind(std::string_view kind) const;
  Objects named(std::string_view kind, std::string_view space, std::string_view name) const;

 private:
  std::vector<const Object*> by_kind_, by_name_;  // sorted
};

}  // namespace capwright::lint
