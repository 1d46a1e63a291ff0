// The fleet for `publish`: a commit, rendered in memory onto the tree of another one.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "git/repository.h"
#include "plan/gate.h"
#include "publish/world.h"
#include "report/plan_report.h"
#include "workflow/open_project.h"
#include "workflow/requested_values.h"

namespace capwright::workflow {

struct PublishEnvironment {
  OpenProject& open;  // of the working tree: its options apply to the commits, too
  git::Repository& repository;
  const plan::Gate& gate;
  bool force = false;  // replace files of the branch that no render wrote
  bool prune = false;  // delete folders of clusters without values
  unsigned jobs = 0;
  bool verbose = false;                                // in diff()
  std::function<void(const report::Findings&)> show;   // findings, as soon as a step has them
  std::function<void(const std::string& error)> fail;  // errors of the configuration
  // With values, only their cluster is rendered, linted and compared. `placed` is called as soon as their place is
  // known, and `approve` with the plan; false stops the run.
  const RequestedValues* values = nullptr;
  std::function<void(const PlacedValues& placed)> placed = nullptr;
  std::function<bool(const report::FleetPlan& plan, const report::Findings& findings)> approve = nullptr;
};

class CommittedFleet final : public publish::Fleet {
 public:
  explicit CommittedFleet(const PublishEnvironment& environment) : environment_(environment) {}
  std::unique_ptr<publish::Rendering> render(const publish::Commits& commits, publish::Verdict& verdict) override;

 private:
  const PublishEnvironment environment_;
};

}  // namespace capwright::workflow
