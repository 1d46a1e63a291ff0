// Keeps plans and findings, and frees the sides that they were made from.
#include "workflow/planned_fleet.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "diag/catalog/manifest.h"
#include "diag/catalog/patches.h"
#include "diag/suggest.h"
#include "lint/engine/present.h"
#include "lint/engine/selection.h"
#include "lint/engine/suppressions.h"
#include "pipeline/repository_bounds.h"
#include "plan/machine_sets.h"
#include "plan/plan_cluster.h"

namespace capwright::workflow {
namespace {

constexpr const char* kClusterGone = "CAP901";

}  // namespace

std::string read_gate(const GateOptions& options, plan::Gate& gate) {
  gate.allow_delete(options.allow_delete);
  for (const std::string& word : options.fail_on) {
    if (gate.forbid(word)) continue;
    const std::vector<std::string> words = plan::Gate::words();
    const std::vector<std::string_view> known(words.begin(), words.end());
    return fmt::format(
        "`--fail-on` takes {}, or one of them and what of: `cluster`, `control-plane`, `pool`, `add-on` or `object`, "
        "as `roll-control-plane`; not `{}`",
        list_names(known, known.size()), word);
  }
  if (!options.max_roll || gate.limit(*options.max_roll)) return {};
  return fmt::format("`--max-roll` takes a number of machines or a part of all, such as `20` or `5%`, not `{}`",
                     *options.max_roll);
}

PlannedFleet::PlannedFleet(const plan::Gate& gate, const crd::Registry* registry, const Project* project,
                           const Limits& limits)
    : gate_(gate), webhooks_(admission::built_in_rules()) {
  rules_.context = {limits, registry, lint::catalogue_date(), {}, false};
  rules_.admission = &webhooks_;
  if (project == nullptr) return;
  const Config& config = project->config();
  rules_.context.externals = config.lint.externals;
  rules_.context.delivery = config.delivery;
  rules_.context.addons = project->own_addon_catalogue();
  if (config.delivery == Delivery::ArgoCd) rules_.context.argocd = &argocd_.emplace(*project);
  const std::string output = project->workspace().io_path(config.output);
  rules_.context.tree_in_git = folder_in_git(project->fs(), output.empty() ? "." : output);
  delivery_ = config.delivery;
  rules_.selection = lint::selection_of(config.lint, {});  // the repository's own rules don't apply to changes
}

void PlannedFleet::visit(const diff::ClusterDiff& diff, const diff::LoadedPair& pair) {
  if (diff.cluster.empty()) {
    const plan::MachineCount count =
        pair.after != nullptr ? plan::machines_in_render(*pair.after) : plan::machines_in_values(pair.loaded->values);
    const std::lock_guard lock(mutex_);
    machines_ += count;
    return;
  }
  const bool is_new = diff.kind == diff::ClusterDiff::Kind::Added;
  const bool is_gone = diff.kind == diff::ClusterDiff::Kind::Removed;
  diff::Side* before = is_new ? nullptr : pair.before.get();
  diff::Side* after = is_gone ? nullptr : pair.after.get();
  if (after != nullptr && after->compiled() != nullptr) keep_warnings(*after->compiled());
  std::optional<diff::LoadedPair> left;
  if (is_gone && left_) left = left_(diff.cluster);
  plan::ClusterPlan plan =
      left ? plan_left(diff, pair, *left)
           : plan::plan_cluster(diff, before, after, {rules_.context.registry, &webhooks_, delivery_});
  if (!left && !plan.harmless && !(is_gone && gate_.may_delete(diff.cluster))) ask_rules(before, after, diff.cluster);
  const std::lock_guard lock(mutex_);
  if (!is_new) machines_ += plan.machines;
  if (!plan.actions.empty()) plans_.add(std::move(plan));
}

// No render changes such a folder, so only files that were edited or deleted by hand do.
plan::ClusterPlan PlannedFleet::plan_left(const diff::ClusterDiff& diff, const diff::LoadedPair& pair,
                                          diff::LoadedPair& left) {
  const plan::Server server{rules_.context.registry, &webhooks_, delivery_};
  if (left.before != nullptr && left.after != nullptr && !left.faults.failed()) {
    const diff::ClusterDiff by_hand = diff::compare(left.before.get(), left.after.get(), {rules_.context.registry, {}});
    if (!by_hand.pairs.empty()) {
      plan::ClusterPlan plan = plan::plan_cluster(by_hand, left.before.get(), left.after.get(), server);
      if (!plan.harmless) ask_rules(left.before.get(), left.after.get(), diff.cluster);
      return plan;
    }
  }
  if (left.faults.failed()) {
    const std::lock_guard lock(mutex_);
    unread_.emplace(diff.cluster, std::move(left.faults));
  }
  return plan::left_in_tree(plan::plan_cluster(diff, pair.before.get(), nullptr, server));
}

void PlannedFleet::keep_warnings(const CompiledCluster& cluster) {
  constexpr const DiagInfo* kOfPatches[] = {&diag::patch_without_match.info, &diag::patch_without_effect.info,
                                            &diag::hidden_value.info, &diag::dropped_items.info,
                                            &diag::existing_name_unused.info};
  Sink found;
  std::ranges::copy_if(cluster.sink.diagnostics(), std::back_inserter(found.diagnostics()), [&](const auto& each) {
    return std::ranges::find(kOfPatches, each.info) != std::end(kOfPatches);
  });
  if (found.diagnostics().empty()) return;
  lint::choose(found.diagnostics(), cluster.sources, rules_.selection, cluster.values_path);
  lint::Suppressions(cluster.sources).apply(found.diagnostics(), cluster.sources, rules_.context.as_of);
  auto kept = std::make_unique<lint::KeptFindings>();
  kept->take(found, cluster.sources, cluster.redactor());
  const std::lock_guard lock(mutex_);
  warnings_.emplace(cluster.name, std::move(kept));
}

void PlannedFleet::ask_rules(diff::Side* before, diff::Side* after, const std::string& cluster) {
  auto report = std::make_unique<lint::KeptFindings>();
  plan::RuleSettings rules = rules_;
  // The rule also reports a cluster that moves to another namespace.
  if (gate_.may_delete(cluster)) rules.selection.ignore.emplace_back(kClusterGone);
  plan::check_rules(before, after, rules, *report);
  if (report->diagnostics().empty()) return;
  const std::lock_guard lock(mutex_);
  reports_.emplace(cluster, std::move(report));
}

report::FleetPlan PlannedFleet::finish(const diff::FleetResult& result, std::string before, std::string after) {
  plans_.sort();
  for (const auto& [cluster, report] : reports_)
    findings_.add(report->diagnostics(), report->sources(), report->redactor(), cluster);
  for (const auto& [cluster, sink] : unread_) findings_.add(sink.diagnostics(), no_sources_, {}, cluster);
  report::FleetPlan plan{plans_, result.compared, result.failed_pairs, machines_, std::move(before), std::move(after)};
  plan.not_compared = result.not_compared();
  plan.other_folders = result.other_folders;
  plan.broken = gate_.broken_by(plans_, machines_);
  if (auto line = gate_.broken_by_unknown(plan.not_compared)) plan.broken.push_back(std::move(*line));
  plan.findings = findings_.all();
  return plan;
}

}  // namespace capwright::workflow
