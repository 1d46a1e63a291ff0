// A cluster is the unit of parallel work. Only the claim on its name is shared between tasks.
#include "pipeline/compile_fleet.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "diag/catalog.h"
#include "pipeline/parallel.h"

namespace capwright {
namespace {

using Task = FleetOptions::Task;

// Who may write `clusters/<name>`. Which of two files wins must not depend on timing: it is the first in order, and a
// later one that was quicker is simply overwritten.
class NameClaims {
 public:
  // Runs `take` unless a file of lower number has the name; the name is locked meanwhile, and taken if `take` says so.
  template <class Take>
  void with_claim(const std::string& name, std::size_t number, Take take) {
    Claim& claim = claim_of(name);
    const std::scoped_lock lock(claim.taking);
    if (number <= claim.owner && take()) claim.owner = number;
  }

  // What the tree had of the cluster before this run wrote it; `read` is called for the first who asks.
  template <class Read>
  std::shared_ptr<const PreviousCluster> previous(const std::string& name, Read read) {
    Claim& claim = claim_of(name);
    const std::scoped_lock lock(claim.taking);
    if (claim.previous == nullptr) claim.previous = std::make_shared<const PreviousCluster>(read());
    return claim.previous;
  }

 private:
  struct Claim {
    std::mutex taking;
    std::size_t owner = static_cast<std::size_t>(-1);
    std::shared_ptr<const PreviousCluster> previous;
  };
  Claim& claim_of(const std::string& name) {
    const std::scoped_lock lock(finding_);
    return claims_[name];
  }
  std::mutex finding_;
  std::map<std::string, Claim> claims_;
};

class Fleet {
 public:
  Fleet(Project& project, const FleetOptions& options)
      : project_(project), options_(options), writes_later_(options.task == Task::Write && options.all_or_nothing) {}

  ClusterOutcome compile(const std::string& values_path, std::size_t number) {
    ClusterOutcome outcome;
    outcome.values_path = values_path;
    auto cluster = load_cluster(values_path, project_);
    if (!is_done(*cluster, number)) {
      finish_cluster(*cluster, project_, *previous_of(*cluster));
      if (cluster->clean()) settle(outcome, *cluster, number);
    }
    outcome.name = cluster->name;
    outcome.clean = cluster->clean();
    const bool kept = options_.keep || writes_later_ || !cluster->sink.diagnostics().empty();
    if (kept) outcome.cluster = std::move(cluster);
    return outcome;
  }

  void write(ClusterOutcome& outcome, CompiledCluster& cluster) {
    outcome.write = write_cluster(*options_.tree, cluster.files, cluster.stamp, {options_.force}, cluster.sink);
  }
  bool writes_later() const { return writes_later_; }

 private:
  // Whether the tree has what a render would give, so that none is needed. The stamp doesn't tell secrets.
  bool is_done(const CompiledCluster& cluster, std::size_t number) {
    const bool may_stay = options_.task == Task::Write && !options_.force && !options_.keep && !writes_later_;
    if (!may_stay || !cluster.clean() || !cluster.secrets.empty()) return false;
    bool done = false;
    claims_.with_claim(cluster.name, number,
                       [&] { return done = is_up_to_date(*options_.tree, cluster.name, cluster.stamp); });
    return done;
  }

  std::shared_ptr<const PreviousCluster> previous_of(CompiledCluster& cluster) {
    if (!cluster.clean()) return std::make_shared<const PreviousCluster>();
    return claims_.previous(cluster.name, [&] { return capwright::previous_of(*options_.tree, cluster); });
  }

  void settle(ClusterOutcome& outcome, CompiledCluster& cluster, std::size_t number) {
    if (options_.task == Task::Check) {
      outcome.differences = check_cluster(*options_.tree, cluster.files, cluster.stamp, cluster.sink);
    } else if (options_.task == Task::Write && !writes_later_) {
      claims_.with_claim(cluster.name, number, [&] { return write(outcome, cluster), true; });
    }
  }

  Project& project_;
  const FleetOptions& options_;
  const bool writes_later_;  // when all clusters are known to be clean
  NameClaims claims_;
};

void report_duplicates(std::vector<ClusterOutcome>& outcomes) {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    ClusterOutcome& outcome = outcomes[i];
    if (!outcome.clean) continue;
    const auto [known, is_new] = first.try_emplace(outcome.name, i);
    if (is_new) continue;
    // Only duplicates that were released need a sink again; they are rare.
    if (outcome.cluster == nullptr) outcome.cluster = std::make_unique<CompiledCluster>();
    outcome.cluster->sink
        .report(diag::duplicate_cluster, Span(), outcome.name, outcomes[known->second].values_path, outcome.values_path)
        .advise("give one of them another `cluster_name`");
    outcome.clean = false;
    outcome.write = {};
    outcome.differences.clear();
  }
}

}  // namespace

std::vector<ClusterOutcome> compile_fleet(const std::vector<std::string>& values_paths, Project& project,
                                          const FleetOptions& options) {
  std::vector<ClusterOutcome> outcomes(values_paths.size());
  Fleet fleet(project, options);
  parallel_for(outcomes.size(), options.jobs, [&](std::size_t i) { outcomes[i] = fleet.compile(values_paths[i], i); });
  report_duplicates(outcomes);
  const bool all_clean =
      std::all_of(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return outcome.clean; });
  if (fleet.writes_later() && all_clean) {
    parallel_for(outcomes.size(), options.jobs, [&](std::size_t i) { fleet.write(outcomes[i], *outcomes[i].cluster); });
  }
  return outcomes;
}

}  // namespace capwright
