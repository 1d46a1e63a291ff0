// Builds sides from folders in any file system: a working tree, a folder, a revision.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "diff/side.h"
#include "files/output_tree.h"

namespace capwright::diff {

// A cluster's folder on one side of a comparison.
struct ClusterFolder {
  std::string cluster;
  std::string path;                       // in the file system
  std::string shown;                      // as the user typed it
  std::string output = {};                // the folder that has `clusters/`, in the file system; set for `outside`
  std::vector<std::string> outside = {};  // the cluster's other files, from that folder
};

// The clusters below `folder`: the folders in its `clusters/`, or in itself if that is its name; otherwise it is one
// cluster, named by the last part of its path. Sorted by name. Reports errors.
std::vector<ClusterFolder> find_clusters(FileSystem& fs, const std::string& folder, Sink& sink);

// All files of the folder and its subfolders, except for the ownership index and names that start with a dot.
std::unique_ptr<Side> read_folder(FileSystem& fs, const ClusterFolder& folder, const Limits& limits, Sink& sink);

// A single file as a cluster of one file.
std::unique_ptr<Side> read_single(FileSystem& fs, const std::string& path, const std::string& called,
                                  const Limits& limits, Sink& sink);

// Whether a cluster's folder of the tree would be in a commit. Its index counts; other files whose names start with a
// dot are those of an interrupted render.
bool has_files(const OutputTree& tree, const std::string& cluster);

// The existing files of the tree that `outputs` would give to the cluster, from the output folder; also those that
// another tool wrote.
std::vector<std::string> files_for(const Outputs& outputs, const OutputTree& tree, const std::string& cluster);

// The folder of a cluster in the tree, and its files outside: those of its index, and `outside`. `output`: the tree's
// folder, in its file system.
ClusterFolder folder_in(const OutputTree& tree, const std::string& output, const std::string& cluster,
                        std::vector<std::string> outside);

// All files of the cluster in the tree, as read_folder() reads them, also those that no render wrote.
std::unique_ptr<Side> read_all_files(const OutputTree& tree, const ClusterFolder& place, const Limits& limits,
                                     Sink& sink);

// The tree's files of a cluster that was rendered as `rendered`: those in its index, and those that the render would
// write. Null if the tree doesn't contain the cluster.
std::unique_ptr<Side> read_tree(const OutputTree& tree, const FileSet& rendered, const Limits& limits, Sink& sink);

}  // namespace capwright::diff
