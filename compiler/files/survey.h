// What lies in a cluster's directory and isn't ours: it has to come along when the directory is replaced, and must not
// stand where a rendered file goes.
#pragma once
#include <string>
#include <vector>

#include "files/compare.h"

namespace capwright {

struct Survey {
  bool failed = false;                     // reported: the file system refused, or something is in the way
  std::vector<std::string> files;          // foreign files, links and so on; from the cluster's directory, sorted
  std::vector<std::string> empty_folders;  // foreign ones
};

// Looks through the whole directory of `comparison`, which is open. Faults are about paths below `shown`
// ("clusters/a/").
Survey survey_cluster(FileSystem& fs, const Comparison& comparison, const std::string& shown, Sink& sink);

}  // namespace capwright
