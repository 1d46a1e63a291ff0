// Collects the effects of a comparison on machines, cluster by cluster while it runs, and checks them against limits.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "admission/providers.h"
#include "diff/fleet.h"
#include "lint/facts/argocd_folder.h"
#include "pipeline/project.h"
#include "plan/gate.h"
#include "plan/plan_cluster.h"
#include "report/plan_report.h"

namespace capwright::workflow {

// The arguments of `--fail-on`, `--max-roll` and `--allow-delete`.
struct GateOptions {
  std::vector<std::string> fail_on, allow_delete;
  std::optional<std::string> max_roll;
};

// Returns the error about an invalid option, or an empty text.
std::string read_gate(const GateOptions& options, plan::Gate& gate);

class PlannedFleet {
 public:
  // `configured`: the repository's settings; null: none. All arguments must outlive it.
  PlannedFleet(const plan::Gate& gate, const crd::Registry* registry, const Project* project, const Limits& limits);

  // The files of a cluster's folder before and now; empty: the whole folder leaves. `before` may be null.
  using LeftFolder = std::function<std::optional<diff::LoadedPair>(const std::string& cluster)>;
  // Set it before the comparison: it reads the folder of a cluster without a values file. Called by several threads.
  void leave(LeftFolder left) { left_ = std::move(left); }
  // Set it before the comparison, if the base has another delivery: the tool that applied an object deletes it.
  void was_delivered_by(Delivery delivery) { rules_.context.delivery = delivery_ = delivery; }
  // For compare_fleet(); called by several threads.
  void visit(const diff::ClusterDiff& diff, const diff::LoadedPair& pair);

  // Call it once, after the comparison; the result points into this object.
  report::FleetPlan finish(const diff::FleetResult& result, std::string before, std::string after);
  // Findings of the rules of changes; valid after finish().
  const report::Findings& findings() const { return findings_; }
  // What the render of changed clusters reports about patches, by cluster: a patch that changes nothing, or that hides
  // a changed value, makes the plan smaller than the change.
  using Warnings = std::map<std::string, std::unique_ptr<lint::KeptFindings>>;
  const Warnings& warnings() const { return warnings_; }

 private:
  plan::ClusterPlan plan_left(const diff::ClusterDiff& diff, const diff::LoadedPair& pair, diff::LoadedPair& left);
  void ask_rules(diff::Side* before, diff::Side* after, const std::string& cluster);
  void keep_warnings(const CompiledCluster& cluster);

  const plan::Gate& gate_;
  LeftFolder left_;
  const admission::Providers webhooks_;
  std::optional<lint::ArgoCdFolder> argocd_;  // rules_ refer to it
  plan::RuleSettings rules_;
  Delivery delivery_ = Delivery::ArgoCd;
  std::mutex mutex_;  // guards the following members
  diff::PackedList<plan::ClusterPlan> plans_;
  plan::MachineCount machines_;
  std::map<std::string, std::unique_ptr<lint::KeptFindings>> reports_;  // of clusters with findings, by name
  Warnings warnings_;
  std::map<std::string, Sink> unread_;  // of folders that can't be read
  const SourceSet no_sources_;
  report::Findings findings_;
};

}  // namespace capwright::workflow
