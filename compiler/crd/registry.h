// The kinds that a management cluster serves: those of the releases that a repository targets. A kind is found by group
// and kind; its digest is read at its first object. Threads share a Registry.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::crd {

struct Node;    // program.h
struct Schema;  // program.h

// A file of digests, such as `schemas/crds/capo-v0.14.7/kinds.tsv`; the views must outlive the Registry.
struct DigestFile {
  std::string_view path;
  std::string_view text;
};

// `capo: 0.14` of capwright.yaml: the newest release of a provider whose version starts with it. A pre-release is
// chosen only if no other release matches, or if `version` names it.
struct Target {
  std::string provider;
  std::string version;  // "0.14", "v0.15.0-beta.0"; empty: the newest
};

// A feature gate of a provider, as the management cluster has it.
struct FeatureGate {
  std::string name;
  bool is_on = true;
};

// A version of a kind.
struct KindVersion {
  std::string_view group;  // empty for the core group
  std::string_view version;
  std::string_view kind;
  std::string_view plural;
  std::string_view release;  // "capo-v0.14.7"
  bool namespaced = true;
  bool served = false;
  bool storage = false;
  bool deprecated = false;
  std::uint32_t number = 0;  // in the Registry

  std::string api_version() const;  // "cluster.x-k8s.io/v1beta2", "v1"
};

class Registry {
 public:
  // Serves every provider in `files`, in its newest stable release unless `targets` selects another. If two releases
  // have a kind, the one whose file comes later wins. `gates`: those that a repository states; the last of a name
  // counts.
  Registry(std::span<const DigestFile> files, std::span<const Target> targets, std::vector<FeatureGate> gates = {});
  ~Registry();
  Registry(const Registry&) = delete;
  Registry& operator=(const Registry&) = delete;

  // Targets without a matching release, in order.
  const std::vector<Target>& unknown_targets() const;
  // The names of all known releases, "capo-v0.14.7", sorted; and of the served ones.
  std::vector<std::string_view> releases() const;
  std::vector<std::string_view> served_releases() const;

  // The versions of a kind, in the order of its digest; empty if no release has it.
  std::span<const KindVersion> versions(std::string_view group, std::string_view kind) const;
  // All served kinds, sorted by group, kind and version.
  std::span<const KindVersion> kinds() const;
  // Null if that version isn't served.
  const KindVersion* find(std::string_view api_version, std::string_view kind) const;

  // The feature gates that the repository states.
  const std::vector<FeatureGate>& feature_gates() const;

  // The schema of every object's metadata; null if no release of `kubernetes` is known.
  const Node* object_meta() const;

  // The compiled schema; null if its digest is missing or can't be read. Compiled at the first call.
  const Schema* schema(const KindVersion&) const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace capwright::crd
