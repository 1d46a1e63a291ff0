// Look-up in a sorted list.
#include "files/file_set.h"

#include <algorithm>
#include <utility>

namespace capwright {

std::string cluster_directory(std::string_view cluster) {
  std::string directory = "clusters/";
  return directory.append(cluster).append("/");
}

FileSet::FileSet(std::string cluster, std::vector<RenderedFile> files)
    : cluster_(std::move(cluster)), directory_(cluster_directory(cluster_)), files_(std::move(files)) {
  std::sort(files_.begin(), files_.end(), [](const RenderedFile& a, const RenderedFile& b) { return a.path < b.path; });
}

const RenderedFile* FileSet::find(std::string_view path) const {
  const auto found =
      std::lower_bound(files_.begin(), files_.end(), path,
                       [](const RenderedFile& file, std::string_view wanted) { return file.path < wanted; });
  return found != files_.end() && found->path == path ? &*found : nullptr;
}

}  // namespace capwright
