// Notices changes of a repository's files by polling: times, sizes and inodes of all files, but of the rendered tree
// only the folders of clusters, which every render replaces.
#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "source/real_system.h"

namespace capwright::workflow {

class WatchedFiles {
 public:
  // More files make the watch too slow for polling.
  static constexpr std::size_t kMostFiles = 50'000;

  // `root`: the folder of the repository. `tree`: the folder of the clusters' folders, relative to it.
  WatchedFiles(std::string root, std::string tree);

  // Paths below the root that appeared, disappeared or changed since the last call; for the tree, those of the
  // clusters' folders. `.git/HEAD` and `.git/logs/HEAD` are among them.
  std::vector<std::string> changed();
  bool has_too_many() const { return stamps_.size() >= kMostFiles; }

 private:
  using Stamps = std::map<std::string, FileStamp>;

  void add(const std::string& shown, Stamps& stamps) const;
  void add_folder(const std::string& shown, Stamps& stamps) const;
  Stamps look() const;

  const std::string root_, tree_;
  Stamps stamps_;
};

}  // namespace capwright::workflow
