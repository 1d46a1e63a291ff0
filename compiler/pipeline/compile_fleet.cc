// A cluster is the unit of parallel work. Only the claim on its name is shared between tasks.
#include "pipeline/compile_fleet.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "diag/catalog.h"
#include "pipeline/parallel.h"

namespace capwright {
namespace {

// Who may write `clusters/<name>`. Which of two files wins must not depend on timing: it is the first in order, and a
// later one that was quicker is simply overwritten.
class NameClaims {
 public:
  // Runs `write` unless a file of lower number has the name; the name is locked meanwhile.
  template <class Write>
  void with_claim(const std::string& name, std::size_t number, Write write) {
    Claim& claim = claim_of(name);
    const std::scoped_lock lock(claim.writing);
    if (number > claim.owner) return;
    claim.owner = number;
    write();
  }

 private:
  struct Claim {
    std::mutex writing;
    std::size_t owner = static_cast<std::size_t>(-1);
  };
  Claim& claim_of(const std::string& name) {
    const std::scoped_lock lock(finding_);
    return claims_[name];
  }
  std::mutex finding_;
  std::map<std::string, Claim> claims_;
};

void write(ClusterOutcome& outcome, CompiledCluster& cluster, const FleetOptions& options) {
  outcome.write = write_cluster(*options.tree, cluster.files, cluster.stamp, {options.force}, cluster.sink);
}

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
  NameClaims claims;
  const bool write_later = options.task == FleetOptions::Task::Write && options.all_or_nothing;
  parallel_for(values_paths.size(), options.jobs, [&](std::size_t i) {
    ClusterOutcome& outcome = outcomes[i];
    outcome.values_path = values_paths[i];
    auto cluster = compile_cluster(values_paths[i], project);
    outcome.name = cluster->name;
    outcome.clean = cluster->clean();
    outcome.file_count = cluster->files.files().size();
    if (outcome.clean && options.task == FleetOptions::Task::Check) {
      outcome.differences = check_cluster(*options.tree, cluster->files, cluster->stamp, cluster->sink);
    } else if (outcome.clean && options.task == FleetOptions::Task::Write && !write_later) {
      claims.with_claim(outcome.name, i, [&] { write(outcome, *cluster, options); });
    }
    if (options.keep || write_later || !cluster->sink.diagnostics().empty()) outcome.cluster = std::move(cluster);
  });
  report_duplicates(outcomes);
  const bool all_clean = std::all_of(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return outcome.clean; });
  if (write_later && all_clean) {
    parallel_for(outcomes.size(), options.jobs, [&](std::size_t i) { write(outcomes[i], *outcomes[i].cluster, options); });
  }
  return outcomes;
}

}  // namespace capwright
