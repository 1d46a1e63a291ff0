// The values files of the repository and the keys that its template sets declare, for rules about objects that name a
// cluster. The clusters themselves are costly to load.
#pragma once
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/project.h"

namespace capwright::lint {

// The URL of a Git repository as Argo CD compares it: in lower case, without `.git` and slashes at the end, and with
// `ssh://` and `/` for `git@host:path`.
std::string normal_git_url(std::string_view url);

// Whether Git ignores a file, which needn't exist, and its index lacks it: no commit will have it. By the path from the
// top of the working tree. Thread-safe; empty: no file counts as ignored.
using IsIgnored = std::function<bool(const std::string& path)>;

class RepositoryClusters {
 public:
  // An error that values cause which override a cluster's own.
  struct Fault {
    std::size_t number = 0;  // of the file or the assignment
    bool is_file = false;
    std::string message, help;
    std::string_view code;
  };
  // A value, and the file that sets it; empty: no file that counts for all clusters does.
  struct SharedValue {
    std::string text, file;
  };

  // `root`: the folder of the project in its Git working tree, "" or "fleet/". The project outlives this.
  RepositoryClusters(Project& project, std::string root, IsIgnored is_ignored)
      : project_(project), root_(std::move(root)), is_ignored_(std::move(is_ignored)) {}

  // Relative to the repository's root, sorted. Lists the folders on first use. Thread-safe.
  const std::vector<std::string>& values_files() const;
  // Whether this is the name of a cluster or one of the values files, from the Application's folder in the working
  // tree.
  bool has(std::string_view target, std::string_view folder) const;
  // The values file that has() finds; empty: none.
  std::string values_file(std::string_view target, std::string_view folder) const;
  // The path relative to the root of the project, of a file in the Application's folder; empty: it isn't in the
  // project.
  std::string project_path(std::string_view file, std::string_view folder) const;
  bool exists(const std::string& path) const;
  // Whether the Git working tree has a folder, by its path as in visit_git().
  bool has_folder(std::string_view path) const;
  // The path of a file of the project in its Git working tree.
  std::string in_git(std::string_view path) const { return root_ + std::string(path); }
  // Visits files and folders of the Git working tree, or of the project outside of one, by their paths from its top,
  // but not what links lead to. `enter` says whether to list a folder. False: a folder can't be listed, or there is too
  // much. Thread-safe.
  bool visit_git(const std::function<bool(const std::string& path, bool is_folder)>& enter) const;
  // Whether no commit will have the files of a folder, by its path as in visit_git(), because Git ignores them.
  bool ignores(const std::string& folder) const;
  // The names of the folders in `clusters/` of the output folder. None if that is a link, which may lead out of the
  // repository.
  std::set<std::string> folders() const;
  // The errors of `extra` when the plugin loads the cluster's values with it. Thread-safe.
  const std::vector<Fault>& faults(const std::string& values_file, const ExtraValues& extra) const;
  // Whether the URL may be that of this repository: `argocd.repo_url` of capwright.yaml is the same, or not set.
  bool may_be_at(std::string_view url) const;
  const Config& config() const { return project_.config(); }
  // A text below `argocd` of the values, such as `management.destination`, from a layer of all clusters. Loads one
  // cluster on first use. Thread-safe.
  SharedValue argocd_value(std::string_view path) const;
  // The files in the Git working tree that the cluster's values and templates are read from. Thread-safe.
  const std::vector<std::string>& inputs(const std::string& values_file) const;
  // The folder of `clusters/` below the top of the Git working tree, without a slash at the end: "" or "fleet/out".
  // nullopt outside of a working tree. The folder needn't exist. Thread-safe.
  const std::optional<std::string>& tree_folder() const;
  // The keys at the top of the values that any template set declares, sorted; empty if a set may have other keys. Loads
  // all sets on first use. Thread-safe.
  const std::vector<std::string>& value_keys() const;

 private:
  std::filesystem::path top() const;  // of the Git working tree, for the process

  Project& project_;
  const std::string root_;
  const IsIgnored is_ignored_;
  mutable std::once_flag listing_, loading_, sharing_, locating_;
  mutable std::optional<std::string> tree_folder_;
  mutable std::vector<std::string> values_files_, value_keys_;
  mutable std::map<std::string, SharedValue, std::less<>> argocd_values_;
  mutable std::mutex checking_;
  mutable std::map<std::string, std::vector<std::string>> inputs_;  // by values file
  mutable std::map<std::string, std::vector<Fault>> faults_;        // by all that decides them
};

}  // namespace capwright::lint
