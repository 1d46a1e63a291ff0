// Look-up in a sorted list.
#include "files/file_set.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace capwright {
namespace {

constexpr std::string_view kAllClusters = "clusters/";

// `first`, `second` and `third` in a text that is allocated once.
std::string joined(std::string_view first, std::string_view second, std::string_view third = {}) {
  std::string text;
  text.reserve(first.size() + second.size() + third.size() + 1);
  return text.append(first).append(second).append(1, '/').append(third);
}

}  // namespace

std::string cluster_directory(std::string_view cluster) { return joined(kAllClusters, cluster); }

std::string path_in_cluster(std::string_view cluster, std::string_view path_in_output) {
  const std::size_t size = kAllClusters.size() + cluster.size();
  const bool is_inside = path_in_output.starts_with(kAllClusters) && path_in_output.size() > size &&
                         path_in_output[size] == '/' &&
                         path_in_output.substr(kAllClusters.size(), cluster.size()) == cluster;
  if (is_inside) return std::string(path_in_output.substr(size + 1));
  return std::string("/").append(path_in_output);
}

std::string path_in_output(std::string_view cluster, std::string_view path_in_cluster) {
  if (is_outside(path_in_cluster)) return std::string(path_in_cluster.substr(1));
  return joined(kAllClusters, cluster, path_in_cluster);
}

FileSet::FileSet(std::string cluster, std::vector<RenderedFile> files, Rotation rotation)
    : cluster_(std::move(cluster)),
      directory_(cluster_directory(cluster_)),
      files_(std::move(files)),
      rotation_(std::move(rotation)) {
  std::sort(files_.begin(), files_.end(), [](const RenderedFile& a, const RenderedFile& b) { return a.path < b.path; });
  const auto key = [](const RotatedObject& object) { return std::tie(object.kind, object.group, object.name); };
  std::sort(rotation_.objects.begin(), rotation_.objects.end(),
            [&](const RotatedObject& a, const RotatedObject& b) { return key(a) < key(b); });
}

const RenderedFile* FileSet::find(std::string_view path) const {
  const auto found =
      std::lower_bound(files_.begin(), files_.end(), path,
                       [](const RenderedFile& file, std::string_view wanted) { return file.path < wanted; });
  return found != files_.end() && found->path == path ? &*found : nullptr;
}

}  // namespace capwright
