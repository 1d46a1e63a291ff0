// What a comparison does to machines, gathered cluster by cluster while it runs, and what of it must not happen.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "admission/providers.h"
#include "cli/console.h"
#include "diff/fleet.h"
#include "pipeline/config.h"
#include "plan/gate.h"
#include "plan/rules.h"
#include "report/plan_report.h"

namespace capwright::cli {

// `--fail-on`, `--max-roll` and `--allow-delete` as they were given.
struct GateOptions {
  std::vector<std::string> fail_on, allow_delete;
  std::optional<std::string> max_roll;
};

// False when an option can't be used; then it was said.
bool read_gate(const GateOptions& options, plan::Gate& gate, Console& console);

class PlannedFleet {
 public:
  // `configured` are the repository's settings; null: it has none. All are outlived.
  PlannedFleet(const plan::Gate& gate, const crd::Registry* registry, const Config* configured, const Limits& limits);

  // Of these clusters the folder stays though they are on one side only. Before the comparison.
  void leave(std::function<bool(const std::string& cluster)> stays) { stays_ = std::move(stays); }
  // For compare_fleet(); called by several threads.
  void visit(const diff::ClusterDiff& diff, const diff::LoadedPair& pair);

  // After the comparison, once; it points into this object.
  report::FleetPlan finish(const diff::FleetResult& result, std::string before, std::string after);
  // Of the rules of changes, after finish().
  const report::Findings& findings() const { return findings_; }

 private:
  void ask_rules(diff::Side* before, diff::Side* after, const std::string& cluster);

  const plan::Gate& gate_;
  std::function<bool(const std::string&)> stays_;
  const admission::Providers webhooks_;
  plan::RuleSettings rules_;
  Delivery delivery_ = Delivery::ArgoCd;
  std::mutex mutex_;  // of what follows
  std::vector<plan::ClusterPlan> plans_;
  plan::MachineCount machines_;
  std::map<std::string, std::unique_ptr<lint::KeptFindings>> reports_;  // of clusters with findings, by name
  std::vector<report::SecretSpans> secrets_;
  report::Findings findings_;
};

}  // namespace capwright::cli
