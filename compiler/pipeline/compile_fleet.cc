// Compiles clusters in parallel. All names must be known before the first cluster is written, because two clusters with
// one name would overwrite each other's files.
#include "pipeline/compile_fleet.h"

#include <algorithm>
#include <map>
#include <memory>

#include "diag/catalog/layers.h"
#include "diag/catalog/tree.h"
#include "files/path_rules.h"
#include "pipeline/compile_cluster.h"
#include "pipeline/fleet_names.h"
#include "pipeline/removals.h"
#include "rotation/tombstones.h"
#include "secrets/manifest_text.h"

namespace capwright {
namespace {

using Task = FleetOptions::Task;

class Fleet {
 public:
  Fleet(const std::vector<std::string>& values_paths, Project& project, const FleetOptions& options)
      : paths_(values_paths),
        project_(project),
        options_(options),
        writes_later_(options.task == Task::Write && options.all_or_nothing),
        names_(values_paths.size()),
        loaded_(values_paths.size()),
        contested_(values_paths.size()),
        rivals_(values_paths.size()) {}

  // Determines the names, and the clusters with a duplicate one.
  void name_all() {
    if (paths_.size() < 2) return;
    parallel_for(paths_.size(), options_.jobs, [&](std::size_t i) { name(i); });
    std::map<std::string, std::size_t> first;  // by folded name: a file system may ignore case
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const auto [known, is_new] = first.try_emplace(folded_path(names_[i]), i);
      if (is_new) continue;
      contested_[i] = contested_[known->second] = true;
      rivals_[i] = paths_[known->second];
    }
    for (std::size_t i = 0; i < loaded_.size(); ++i) {
      if (!is_chosen(i)) loaded_[i].reset();
    }
  }

  bool is_chosen(std::size_t number) const { return !options_.chosen || options_.chosen(paths_[number]); }

  ClusterOutcome compile(std::size_t number) {
    ClusterOutcome outcome;
    outcome.values_path = paths_[number];
    auto cluster = loaded_[number] ? std::move(loaded_[number]) : load_cluster(paths_[number], project_);
    if (contested_[number]) {
      finish_cluster(*cluster, project_, nullptr);  // reports its other errors as well
      if (!rivals_[number].empty()) report_duplicate(*cluster, number);
    } else if (cluster->clean() && is_renamed(*cluster, number)) {
      cluster->sink.report(diag::io_failed, Span(), paths_[number], "read", "it changed in the meantime");
    } else if (!is_done(*cluster)) {
      finish_cluster(*cluster, project_, options_.tree);
      if (project_.options().forget_removed) note_entries(*cluster, outcome);
      if (cluster->clean()) settle(outcome, *cluster);
    }
    outcome.name = cluster->name;
    outcome.clean = cluster->clean() && !contested_[number];
    const bool kept = options_.keep || writes_later_ || !cluster->sink.diagnostics().empty();
    if (kept) outcome.cluster = std::move(cluster);
    return outcome;
  }

  void write(ClusterOutcome& outcome, CompiledCluster& cluster) {
    outcome.write = write_cluster(*options_.tree, cluster.files, cluster.stamp, {options_.force}, cluster.sink);
  }
  bool writes_later() const { return writes_later_; }

 private:
  // Loads the cluster if its text doesn't state a plain name.
  void name(std::size_t number) {
    names_[number] = name_in_text(paths_[number], project_);
    if (!names_[number].empty()) return;
    loaded_[number] = load_cluster(paths_[number], project_);
    names_[number] = loaded_[number]->name;
  }

  bool is_renamed(const CompiledCluster& cluster, std::size_t number) const {
    return paths_.size() > 1 && cluster.name != names_[number];
  }

  void report_duplicate(CompiledCluster& cluster, std::size_t number) {
    const Value* name = cluster.values.find("cluster_name");
    const Span where = name != nullptr ? cluster.origins[name->origin()].span : Span();
    cluster.sink.report(diag::duplicate_cluster, where, names_[number], rivals_[number], paths_[number])
        .advise("give one of them another `cluster_name`");
  }

  // Whether the tree matches what a render would produce, so that none is needed. The stamp excludes secrets.
  bool is_done(const CompiledCluster& cluster) {
    const bool may_stay = options_.task == Task::Write && !options_.force && !options_.keep && !writes_later_ &&
                          !project_.options().forget_removed;
    if (!may_stay || !cluster.clean() || !cluster.secrets.places.empty()) return false;
    return is_up_to_date(*options_.tree, cluster.name, cluster.stamp) &&
           !may_lose_entries(*options_.tree, cluster.name, project_);
  }

  // Which removal entries of the tree the render drops, and which it keeps.
  void note_entries(const CompiledCluster& cluster, ClusterOutcome& outcome) const {
    Sink reported;  // the render has read it, too
    const PreviousCluster written = read_previous(*options_.tree, cluster.name, reported);
    const auto entries = [&](std::string_view text) {
      return removals_in(std::string(rotation::kTombstoneFile), std::string(text), project_.options().limits)
          .value_or(std::vector<std::string>());
    };
    const PreviousFile* before = written.find(rotation::kTombstoneFile);
    const RenderedFile* now = cluster.files.find(cluster.files.directory() + std::string(rotation::kTombstoneFile));
    outcome.has_lost_entries = before != nullptr && before->state == PreviousFile::State::Missing && now == nullptr;
    if (now != nullptr) outcome.kept_entries = entries(now->body.text());
    for (std::string& entry : entries(before != nullptr ? before->text : "")) {
      const auto& kept = outcome.kept_entries;
      if (std::find(kept.begin(), kept.end(), entry) == kept.end()) outcome.dropped_entries.push_back(std::move(entry));
    }
  }

  void settle(ClusterOutcome& outcome, CompiledCluster& cluster) {
    if (options_.task == Task::Check) {
      const CheckOptions check{options_.diff, secrets::may_hold_secret_data};
      outcome.differences = check_cluster(*options_.tree, cluster.files, cluster.stamp, check, cluster.sink);
      report_loose_removals(*options_.tree, cluster.name, &cluster.files, project_.options().limits, cluster.sink);
    } else if (options_.task == Task::Write && !writes_later_) {
      write(outcome, cluster);
    }
  }

  const std::vector<std::string>& paths_;
  Project& project_;
  const FleetOptions& options_;
  const bool writes_later_;  // once all clusters are known to be clean
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<CompiledCluster>> loaded_;  // clusters that were loaded for their names
  std::vector<char> contested_;                           // as bool: the name isn't unique
  std::vector<std::string> rivals_;  // the first cluster with the same name; empty: it is the first itself
};

}  // namespace

std::vector<ClusterOutcome> compile_fleet(const std::vector<std::string>& values_paths, Project& project,
                                          const FleetOptions& options) {
  std::vector<ClusterOutcome> outcomes(values_paths.size());
  Fleet fleet(values_paths, project, options);
  fleet.name_all();
  parallel_for(outcomes.size(), options.jobs, options.shown, [&](std::size_t i) {
    if ((options.stops != nullptr && *options.stops) || !fleet.is_chosen(i)) return;
    outcomes[i] = fleet.compile(i);
    if (options.visit) options.visit(i, outcomes[i]);
  });
  const bool all_clean =
      std::all_of(outcomes.begin(), outcomes.end(), [](const auto& outcome) { return outcome.clean; });
  if (fleet.writes_later() && all_clean) {
    parallel_for(outcomes.size(), options.jobs, [&](std::size_t i) { fleet.write(outcomes[i], *outcomes[i].cluster); });
  }
  return outcomes;
}

}  // namespace capwright
