// Tombstones: manifests for objects that left the tree and that Argo CD would otherwise never delete. A wrong one
// deletes a live pool. So the kinds are fixed in code, an earlier render has to have had the object, and the tree has
// to have its Cluster, and nothing of its kind and name.
#pragma once
#include <string_view>

#include "files/file_set.h"
#include "files/previous.h"
#include "rotation/read_manifests.h"
#include "value/stage.h"

namespace capwright::rotation {

// In the cluster's folder. It sorts before every other manifest: Argo CD takes the last manifest of an object.
inline constexpr std::string_view kTombstoneFile = "00-removed.yaml";
// Argo CD prunes only live objects without ownerReferences, and Cluster API makes the Cluster the owner of pools and
// health checks. But Argo CD looks up the live object of every manifest that it reads, and then drops manifests whose
// hook is of no known type. Their live objects have no manifest any more, so they are pruned, whoever owns them
// (controller/state.go and gitops-engine/pkg/sync/ignore of Argo CD 3.5.7).
inline constexpr std::string_view kHookAnnotation = "argocd.argoproj.io/hook";
inline constexpr std::string_view kTombstoneHook = "Removed";

// Whether a manifest names a removed object instead of describing one.
bool is_tombstone(const Value& manifest);

// Whether objects of a kind may have a tombstone: Cluster API owns them, and deleting one deletes no more than a pool.
bool may_have_tombstone(std::string_view group, std::string_view kind);

// What earlier renders left.
struct EarlierObjects {
  const PreviousCluster& tree;        // objects that the management cluster may have
  const PreviousCluster& tombstones;  // whose tombstones stay
  bool forget = false;                // … unless they are to be dropped
};

// `files` with the tombstone file, if an object left the tree or had a tombstone. `manifests` is what was read of
// `files`. Going on from the result, the same files give the same result again.
FileSet add_tombstones(FileSet files, const ReadManifests& manifests, const EarlierObjects& earlier, RenderTrace& trace,
                       Stage& stage);

}  // namespace capwright::rotation
