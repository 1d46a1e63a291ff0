// Opens a golden case as a repository of one cluster, and renders it in memory.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "golden/check_case.h"
#include "lint/engine/setup.h"
#include "pipeline/cluster.h"
#include "pipeline/project.h"
#include "pipeline/schemas.h"
#include "report/finding.h"

namespace capwright::golden {

class Bench {
 public:
  // `golden` must have values.
  Bench(const Case& golden, Repository& repository);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // False: its configuration or its expect.yaml can't be read; findings() has the reason.
  bool open();
  const Expectation& expectation() const { return expectation_; }

  // A layer with `when.path` that doesn't match the place of the case, if no values file is known that the case
  // represents. Null: there is none.
  const LayerRule* undecided_layer(const CompiledCluster& cluster) const;
  std::string path_of(std::string_view name) const { return folder_ + std::string(name); }  // as displayed

  // The output stays local, so secrets of every form are rendered in plain text.
  std::unique_ptr<CompiledCluster> compile();
  // Adds the findings of lint.
  void lint(CompiledCluster& cluster);
  // The findings of open(), and of `cluster` unless it is null; `keep` as in report::Findings. They point into both.
  report::Findings findings(const CompiledCluster* cluster, report::Findings::Keep keep = nullptr);
  const crd::Registry* registry();
  const Limits& limits() const { return limits_; }

 private:
  void make_project(Config config, std::string represented);
  // The values file of the cluster `name` in the repository; empty: there is none.
  std::string path_in_values(std::string_view name);
  Stage stage() { return {sources_, sink_, arena_, origins_, limits_}; }

  const Case& golden_;
  Repository& repository_;
  Workspace workspace_;
  std::string folder_;  // the case's directory as displayed, with a trailing slash, or empty
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  Limits limits_;
  Expectation expectation_;
  std::unique_ptr<Project> project_;
  lint::Setup setup_;  // findings refer to its rules
};

}  // namespace capwright::golden
