// What an earlier render left of one cluster, as far as the next one goes on from it: which objects had which names,
// and the files that these objects are in.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/index.h"
#include "files/write.h"

namespace capwright {

struct PreviousFile {
  enum class State : std::uint8_t { Intact, Edited, Missing };
  std::string path;  // from the cluster's directory
  State state = State::Missing;
  std::string text;
};

// From a tree, or made by whoever has the cluster in another form.
struct PreviousCluster {
  std::optional<Index> index;  // nothing: there was no earlier render that can be gone on from
  // Sorted by path: those of index->rotation, those with secrets, and manifests in the cluster's folder itself.
  std::vector<PreviousFile> files;

  // By its path from the cluster's directory; null when it is none of `files`.
  const PreviousFile* find(std::string_view path) const;
};

// What a render goes on from. The two differ only between a render and its commit.
struct Previous {
  // What the output folder has. Encrypted files are compared with it and stay if they hold the same, and it says which
  // version of the template set the cluster is at.
  PreviousCluster written;
  // What is committed, where that is known: what may run. Generations of templates go on from it, so that a render
  // that was never committed leaves nothing behind.
  std::optional<PreviousCluster> committed = {};

  const PreviousCluster& generations() const { return committed ? *committed : written; }
};

// An index that can't be read counts as none: whoever writes or checks the cluster reports it. Refusals of the file
// system are reported here.
PreviousCluster read_previous(const OutputTree& tree, const std::string& cluster, Sink& sink);

}  // namespace capwright
