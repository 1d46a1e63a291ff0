// The repository of a preview: rendered in memory, with unsaved texts in place of files. For one thread at a time.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/output_tree.h"
#include "lint/model/cluster.h"
#include "report/plan_report.h"
#include "workflow/comparison.h"
#include "workflow/git_history.h"
#include "workflow/session.h"

namespace capwright::preview {

// A rendered cluster with its objects, until the next change.
struct OpenCluster {
  std::unique_ptr<CompiledCluster> compiled;  // with the conditions and loops around each text
  std::unique_ptr<lint::Cluster> objects;     // null: the cluster has errors
  lint::Context context;
};

// A text that isn't written yet.
struct Draft {
  std::string before;  // of the file when the draft began
  std::string text;
};

class Repository {
 public:
  Repository(workflow::RepositoryOptions repository, workflow::ValueOptions values);

  // Call it first for each request. Null: the repository can't be used, and faults() has the reason.
  workflow::OpenProject* open();
  nlohmann::ordered_json faults();

  // Values files of all clusters, sorted. After open().
  const std::vector<std::string>& clusters();
  bool has_cluster(std::string_view values_path);
  // The cluster as a render has it; valid until the next change. Null: see faults().
  OpenCluster* cluster(const std::string& values_path);
  // As `capwright lint` has it for each cluster alone. Null for all: see faults().
  std::vector<std::shared_ptr<const workflow::LintedCluster>> lint(std::span<const std::string> values_paths);

  // The render against the tree, or against a render of the revision `base`. `use` gets the plan, whose parts are valid
  // during the call. Returns why nothing can be compared; otherwise empty.
  using Use = std::function<void(const report::FleetPlan&, const diff::FleetResult&)>;
  std::string compare(std::span<const std::string> values_paths, const std::string& base, const diff::Visit& visit,
                      const Use& use);

  // Unsaved texts, by path as shown.
  const std::map<std::string, Draft>& drafts() const { return drafts_; }
  // The text of a file as all pages show it, with its draft. Empty: it can't be read.
  std::optional<std::string> text(const std::string& path);
  // The file must be readable.
  void edit(const std::string& path, std::string text);
  void revert(const std::string& path);
  // Writes the draft, unless the file has changed since the draft began. Returns what is wrong; otherwise empty.
  std::string write(const std::string& path);

  // The root folder, relative to the working directory. After open().
  std::string root();
  // The name of the root folder. After open().
  std::string title();
  // What precedes `clusters/…` in shown paths: empty, or the output folder with its slash. After open().
  std::string output_prefix();
  // Where the tree has the folders of clusters, relative to the root. After open().
  std::string clusters_folder();
  // Files that changed on disk, as workflow::WatchedFiles names them.
  void take_changes(std::span<const std::string> paths);
  // Increases with every change of files and drafts.
  std::uint64_t generation() const { return generation_; }
  // Increases when the tree or a commit may have changed.
  std::uint64_t tree_generation() const { return tree_generation_; }

 private:
  void forget_results();
  bool load();

  const workflow::RepositoryOptions repository_;
  const workflow::ValueOptions values_;
  workflow::Session session_;
  std::unique_ptr<workflow::GitHistory> history_;
  std::optional<std::vector<std::string>> clusters_;
  std::map<std::string, std::unique_ptr<OpenCluster>> open_clusters_;  // by values file
  std::map<std::string, Draft> drafts_;
  std::optional<std::string> stop_;  // why rules can't be loaded
  std::uint64_t generation_ = 1, tree_generation_ = 1;
};

}  // namespace capwright::preview
