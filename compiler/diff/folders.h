// Sides from folders, of whatever file system: a working tree, a folder, a revision.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "diff/side.h"
#include "files/write.h"

namespace capwright::diff {

// A cluster's folder, as one side of a comparison has it.
struct ClusterFolder {
  std::string cluster;
  std::string path;   // how the file system reaches it
  std::string shown;  // as the user knows it
};

// The clusters below `folder`: the folders of its `clusters/`, or of itself when it is called so; else it is one
// cluster, with the last part of its path as name. Sorted by name; faults are reported.
std::vector<ClusterFolder> find_clusters(FileSystem& fs, const std::string& folder, Sink& sink);

// All files of the folder and of those in it, but for the ownership index and what has a name that starts with a dot.
std::unique_ptr<Side> read_folder(FileSystem& fs, const ClusterFolder& folder, const Limits& limits, Sink& sink);

// A single file as a cluster of one file.
std::unique_ptr<Side> read_single(FileSystem& fs, const std::string& path, const std::string& called,
                                  const Limits& limits, Sink& sink);

// What the tree has of a cluster that was rendered as `rendered`: the files that its index names, and those that the
// render would write. Null when it has no such cluster.
std::unique_ptr<Side> read_tree(const OutputTree& tree, const FileSet& rendered, const Limits& limits, Sink& sink);

}  // namespace capwright::diff
