// Finds a cluster as the plugin of Argo CD does (cli/cmp.cc): by its name, or by a path.
#include "lint/model/repository_clusters.h"

#include <algorithm>
#include <filesystem>

#include "lint/facts/git_urls.h"
#include "pipeline/layers.h"

namespace capwright::lint {

const std::vector<std::string>& RepositoryClusters::values_files() const {
  std::call_once(listing_, [&] {
    Sink ignored;  // a render reports unreadable folders
    values_files_ = find_values_files(project_.fs(), project_.workspace(), project_.config(), ignored);
  });
  return values_files_;
}

bool RepositoryClusters::has(std::string_view target, std::string_view folder) const {
  const std::string path =
      (std::filesystem::path("/") / std::string(folder) / std::string(target)).lexically_normal().string();
  return std::any_of(values_files().begin(), values_files().end(), [&](const std::string& file) {
    return cluster_stem(file) == target || "/" + root_ + file == path;
  });
}

bool RepositoryClusters::may_be_at(std::string_view url) const {
  const std::string& own = project_.config().argocd.repo_url;
  return own.empty() || normal_git_url(own) == normal_git_url(url);
}

}  // namespace capwright::lint
