// The exact inputs of clusters: each is rendered in memory on a file system that records what is read and looked for.
// Files of the program itself, such as built-in templates, aren't inputs, nor is what `sops` and `kubeseal` read.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "report/inputs_report.h"
#include "workflow/git_history.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

class RecordedInputs {
 public:
  // `request` is that of a render, without standard input among its values; `open` was opened for an equal one.
  RecordedInputs(OpenRequest request, OpenProject& open);

  // Call it once. A cluster with errors has the inputs that lead to these. Returns false after an error in the sink of
  // the project: the tree can't be read.
  bool record(const std::vector<std::string>& values_paths, unsigned jobs);

  // In the order of the request.
  const std::vector<report::ClusterInputs>& clusters() const { return clusters_; }
  // The errors of the renders; valid as long as this object.
  void add_findings(report::Findings& findings) const;

 private:
  struct Worker;
  void record_some(const std::vector<std::string>& values_paths, std::size_t first, std::size_t step);

  OpenRequest request_;
  OpenProject& opened_;
  std::unique_ptr<GitHistory> history_;
  std::vector<report::ClusterInputs> clusters_;
  std::vector<std::unique_ptr<CompiledCluster>> failed_;         // by index of the request; null: without errors
  std::vector<std::vector<std::unique_ptr<OpenProject>>> open_;  // by thread; the failed ones refer to them
};

}  // namespace capwright::workflow
