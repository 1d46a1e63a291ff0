// Rendered files that no commit has, because Argo CD's plugin renders them from the committed values files.
#pragma once
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "files/output_tree.h"
#include "git/ignored_files.h"
#include "lint/facts/plugin_clusters.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

// In the configured output folder. The project, which must be there, outlives this.
class UncommittedFiles {
 public:
  explicit UncommittedFiles(OpenProject& open);

  // Removes the differences of a cluster in files that Git ignores, if the plugin renders the cluster: nothing applies
  // them, so they can't be stale in a commit.
  void drop_from(std::vector<TreeDifference>& differences, const std::string& cluster);
  // Adds the clusters without values whose folders hold only files that Git ignores: they were only rendered here.
  void add_local_clusters(const OutputTree& tree, std::set<std::string>& names);

 private:
  bool has_all_of(const std::string& cluster);
  const git::IgnoredFiles& ignored();

  OpenProject& open_;
  const lint::PluginClusters by_plugin_;
  std::unique_ptr<git::IgnoredFiles> ignored_;  // opened on first use
  std::string output_;                          // absolute, with a slash at the end
};

}  // namespace capwright::workflow
