// A golden case opened as a repository of one cluster, to be rendered in memory.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "golden/check.h"
#include "lint/own/rule.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/schemas.h"
#include "report/finding.h"

namespace capwright::golden {

class Bench {
 public:
  // `golden` has values.
  Bench(const Case& golden, Repository& repository);
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  // False: its configuration or its expect.yaml can't be read, findings() says why.
  bool open();
  const Expectation& expectation() const { return expectation_; }

  // Nothing leaves, so that credentials of any form are rendered, readable.
  std::unique_ptr<CompiledCluster> compile();
  // Adds what lint says.
  void lint(CompiledCluster& cluster);
  // Those of opening, and of `cluster` unless it is null; `keep` as for report::Findings. They point into both.
  report::Findings findings(const CompiledCluster* cluster, report::Findings::Keep keep = nullptr);
  const crd::Registry* registry();
  const Limits& limits() const { return limits_; }

 private:
  Stage stage() { return {sources_, sink_, arena_, origins_, limits_}; }

  const Case& golden_;
  Repository& repository_;
  Workspace workspace_;
  std::string folder_;  // the case's, as the workspace shows it, with a slash at the end, or empty
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  Limits limits_;
  Expectation expectation_;
  std::unique_ptr<Project> project_;
  KnownSchemas schemas_;
  lint::own::Rules own_rules_;  // what findings point to
  report::SecretSpans secrets_;
};

}  // namespace capwright::golden
