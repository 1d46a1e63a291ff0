// The foreign files in a cluster's directory: they must be kept when the directory is replaced, and must not be in the
// place of a rendered file.
#pragma once
#include <string>
#include <vector>

#include "files/compare.h"

namespace capwright {

struct Survey {
  bool failed = false;                     // reported: a file system error, or a foreign file in the way
  std::vector<std::string> files;          // foreign files, links and so on; from the cluster's directory, sorted
  std::vector<std::string> empty_folders;  // foreign ones
};

// Walks the whole directory of `comparison`, which is open. Reports errors with paths below `shown` ("clusters/a/").
Survey survey_cluster(FileSystem& fs, const Comparison& comparison, const std::string& shown, Sink& sink);

}  // namespace capwright
