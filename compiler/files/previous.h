// The result of an earlier render of one cluster, as far as the next one needs it: the names of objects, and the files
// that contain them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/index.h"
#include "files/output_tree.h"

namespace capwright {

struct PreviousFile {
  enum class State : std::uint8_t { Intact, Edited, Missing };
  std::string path;  // relative to the cluster's directory
  State state = State::Missing;
  std::string text;
};

// Read from a tree, or built by code that has the cluster in another form.
struct PreviousCluster {
  std::optional<Index> index;  // empty: no earlier render to continue from
  // Sorted by path: those of index->rotation, those with secrets, and manifests directly in the cluster's directory.
  std::vector<PreviousFile> files;
  // Those of them, and the index, in which Git has marked a conflict: names of earlier objects can't be read from them.
  std::vector<std::string> conflicted = {};

  // By path relative to the cluster's directory; null if it isn't in `files`.
  const PreviousFile* find(std::string_view path) const;
};

// The predecessors of a render. The two differ only between a render and its commit.
struct Previous {
  // The state of the output folder. Encrypted files are compared with it and kept if their content is equal; it also
  // has the cluster's version of the template set.
  PreviousCluster written;
  // The committed state, if known: it may be in use. Generations of templates continue from it, so that a render that
  // was never committed has no effect.
  std::optional<PreviousCluster> committed = {};

  const PreviousCluster& generations() const { return committed ? *committed : written; }
};

// Whether Git has marked a conflict between two versions in the text.
bool has_conflict_markers(std::string_view text);

// An unreadable index counts as missing: writing or checking the cluster reports it. File system errors are reported
// here.
PreviousCluster read_previous(const OutputTree& tree, const std::string& cluster, Sink& sink);

}  // namespace capwright
