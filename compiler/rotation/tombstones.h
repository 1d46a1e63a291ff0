// Tombstones: manifests for objects that left the tree and that Argo CD would otherwise never delete. A wrong tombstone
// deletes a live pool. So the kinds are fixed in code, an earlier render must have contained the object, and the tree
// must contain its Cluster but no object of the same kind and name.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "files/file_set.h"
#include "files/previous.h"
#include "rotation/read_manifests.h"
#include "value/stage.h"

namespace capwright::rotation {

// In the cluster's folder. It sorts before every other manifest, because Argo CD uses the last manifest of an object.
inline constexpr std::string_view kTombstoneFile = "00-removed.yaml";
// Argo CD prunes only live objects without ownerReferences, and Cluster API makes the Cluster the owner of pools and
// health checks. But Argo CD looks up the live object of every manifest, and then drops manifests with a hook of an
// unknown type. Their live objects then have no manifest, so they are pruned despite their owner (controller/state.go
// and gitops-engine/pkg/sync/ignore of Argo CD 3.5.7).
inline constexpr std::string_view kHookAnnotation = "argocd.argoproj.io/hook";
inline constexpr std::string_view kTombstoneHook = "Removed";

// Whether a manifest is a tombstone that a render wrote. pipeline/removals.h has all manifests with that effect.
bool is_tombstone(const Value& manifest);

// Whether objects of a kind may have a tombstone: Cluster API owns them, and deleting one deletes at most a pool.
bool may_have_tombstone(std::string_view group, std::string_view kind);

// Whether a cluster may have an object with this name in the namespace: names of objects start with that of their
// cluster. `other_space`: its namespace, if known.
bool may_belong_to(std::string_view other_cluster, const std::optional<std::string>& other_space,
                   std::string_view space, std::string_view name);

// The results of earlier renders.
struct EarlierObjects {
  const PreviousCluster& tree;        // objects that the management cluster may have
  const PreviousCluster& tombstones;  // its tombstones are kept
  bool forget = false;                // … unless `tree` has them, too, and this is set
  // Another cluster of the repository that may have the object, which gets no tombstone then; empty: none.
  std::function<std::string(std::string_view space, std::string_view name)> other_owner = {};
};

// Returns `files` with the tombstone file, if an object left the tree or had a tombstone. `manifests`: the parsed
// `files`. Idempotent: the same files, with the result as the earlier render, give the same result.
FileSet add_tombstones(FileSet files, const ReadManifests& manifests, const EarlierObjects& earlier, RenderTrace& trace,
                       Stage& stage);

}  // namespace capwright::rotation
