// One comparison for all clusters of a request that aren't known: opening its sides costs more than comparing one.
#include "preview/fleet_states.h"

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

#include "pipeline/layers.h"
#include "plan/groups.h"

namespace capwright::preview {
namespace {

using StateJson = nlohmann::ordered_json;

void count_findings(const workflow::LintedCluster& linted, StateJson& state) {
  std::size_t errors = 0, warnings = 0, notes = 0;
  for (const Diagnostic& diagnostic : linted.findings->diagnostics()) {
    errors += diagnostic.severity == Severity::Error ? 1 : 0;
    warnings += diagnostic.severity == Severity::Warning ? 1 : 0;
    notes += diagnostic.severity == Severity::Note ? 1 : 0;
  }
  state["errors"] = errors;
  state["warnings"] = warnings;
  state["notes"] = notes;
}

// "same", "changed", "added" or "removed".
std::string_view change_of(const diff::ClusterDiff& diff) {
  if (diff.kind == diff::ClusterDiff::Kind::Added) return "added";
  if (diff.kind == diff::ClusterDiff::Kind::Removed) return "removed";
  return diff.pairs.empty() ? "same" : "changed";
}

void add_plan(const plan::ClusterPlan& plan, StateJson& state) {
  const plan::MachineCount replaced = plan::replaced_by(plan);
  if (replaced.is_some()) state["replaced"] = plan::text_of(replaced);
  if (!plan.actions.empty()) state["worst"] = plan::verb_name(plan.actions.front().verb);
}

// The plan states by values file. Clusters that can't be compared have none.
std::map<std::string, StateJson> compared(std::span<const std::string> values_paths, Repository& repository) {
  std::map<std::string, StateJson> by_path;
  std::map<std::size_t, std::string> changes;  // by number of the pair
  std::mutex mutex;
  const auto visit = [&](std::size_t number, const diff::ClusterDiff& diff, const diff::LoadedPair&) {
    const std::lock_guard lock(mutex);
    changes[number] = change_of(diff);
  };
  const auto use = [&](const report::FleetPlan& plan, const diff::FleetResult& result) {
    std::map<std::string, std::string> paths;  // by the name of the cluster
    for (std::size_t i = 0; i < result.made.size(); ++i) {
      const diff::MadeCluster& made = result.made[i];
      paths.emplace(made.name, made.values_path);
      if (const auto change = changes.find(i); change != changes.end())
        by_path[made.values_path]["change"] = change->second;
    }
    for (const plan::ClusterPlan& cluster : plan.clusters) {
      const auto path = paths.find(cluster.cluster);
      if (path != paths.end()) add_plan(cluster, by_path[path->second]);
    }
  };
  if (!values_paths.empty()) repository.compare(values_paths, "", visit, use);
  return by_path;
}

}  // namespace

StateJson FleetStates::of(std::span<const std::string> values_paths, Repository& repository) {
  const auto linted = repository.lint(values_paths);
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < values_paths.size(); ++i) {
    const State& known = known_[values_paths[i]];
    const bool is_known = known.linted == linted[i] && known.tree == repository.tree_generation() && linted[i];
    if (!is_known && linted[i] != nullptr) unknown.push_back(values_paths[i]);
  }
  const auto plans = compared(unknown, repository);
  StateJson list = StateJson::array();
  for (std::size_t i = 0; i < values_paths.size(); ++i) {
    const std::string& path = values_paths[i];
    if (linted[i] == nullptr) continue;
    State& known = known_[path];
    if (std::find(unknown.begin(), unknown.end(), path) != unknown.end()) {
      StateJson state = {{"values", path}, {"name", linted[i]->name}, {"clean", linted[i]->is_clean}};
      count_findings(*linted[i], state);
      if (const auto plan = plans.find(path); plan != plans.end()) state.update(plan->second);
      known = {linted[i], repository.tree_generation(),
               state.dump(-1, ' ', false, StateJson::error_handler_t::replace)};
    }
    list.push_back(StateJson::parse(known.json));
  }
  return list;
}

}  // namespace capwright::preview
