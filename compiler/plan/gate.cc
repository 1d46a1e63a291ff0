// A word is a verb, optionally followed by a target.
#include "plan/gate.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "plan/groups.h"
#include "text/glob.h"

namespace capwright::plan {
namespace {

constexpr std::size_t kMostNames = 5;
constexpr std::string_view kAny = "any";
constexpr std::string_view kAddOn = "-add-on";  // what users call a release

std::string counted(std::size_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string names_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMostNames ? fmt::format("{} and {} more", text, names.size() - kMostNames) : text;
}

// The targets of some actions, by cluster: "prod-a (pool prod-a-general, control plane)".
struct Targets {
  std::size_t count = 0;
  std::string text;
};

template <class Wanted>
Targets targets_of(const ClusterPlan& plan, const Wanted& is_wanted) {
  Targets found;
  std::vector<std::string> names;
  for (const Action& action : plan.actions) {
    if (!is_wanted(action)) continue;
    ++found.count;
    const std::string name = text_of(action.target);
    const bool is_known = std::find(names.begin(), names.end(), name) != names.end();
    if (action.target.kind != Target::Kind::Cluster && !is_known) names.push_back(name);
  }
  found.text = names.empty() ? plan.cluster : fmt::format("{} ({})", plan.cluster, names_of(names));
  return found;
}

}  // namespace

bool Gate::Forbidden::matches(const Action& action) const {
  if (target && *target != action.target.kind) return false;
  if (!verb) return true;
  return action.verb == *verb || (*verb == Verb::Roll && action.verb == Verb::Upgrade);
}

bool Gate::forbid(std::string_view what) {
  if (what.ends_with(kAddOn)) {
    const std::string_view verb = what.substr(0, what.size() - kAddOn.size());
    const auto known = verb_of(verb);
    return known && (forbidden_.push_back({std::string(what), known, Target::Kind::Release}), true);
  }
  if (what == kAny) {
    forbidden_.push_back({std::string(what), {}, {}});
    return true;
  }
  if (const auto verb = verb_of(what)) {
    forbidden_.push_back({std::string(what), verb, {}});
    return true;
  }
  for (int i = 0; i <= static_cast<int>(Target::Kind::Object); ++i) {
    const auto target = static_cast<Target::Kind>(i);
    const std::string_view name = target_name(target);
    if (!what.ends_with(name) || what.size() <= name.size() || what[what.size() - name.size() - 1] != '-') continue;
    const auto verb = verb_of(what.substr(0, what.size() - name.size() - 1));
    if (verb) {
      forbidden_.push_back({std::string(what), verb, target});
      return true;
    }
  }
  return false;
}

bool Gate::limit(std::string_view most) {
  Most read{std::string(most), 0, most.ends_with('%')};
  if (read.is_percent) most.remove_suffix(1);
  const auto [end, error] = std::from_chars(most.data(), most.data() + most.size(), read.number);
  if (error != std::errc() || end != most.data() + most.size() || read.number < 0) return false;
  most_ = read;
  return true;
}

bool Gate::may_delete(std::string_view cluster) const {
  return std::any_of(deletable_.begin(), deletable_.end(),
                     [&](const auto& glob) { return glob_matches(glob, cluster); });
}

bool Gate::forbids(const Forbidden& forbidden, const ClusterPlan& plan, const Action& action) const {
  const auto leaves = [](const Action& each) { return each.verb == Verb::Delete || each.verb == Verb::Orphan; };
  // Permission to delete a cluster doesn't cover a pool of a cluster that stays.
  const bool cluster_leaves =
      plan.move || std::any_of(plan.actions.begin(), plan.actions.end(), [&](const Action& each) {
        return leaves(each) && each.target.kind == Target::Kind::Cluster;
      });
  const bool is_allowed = leaves(action) && cluster_leaves && may_delete(plan.cluster);
  return !is_allowed && forbidden.matches(action);
}

std::optional<std::string> Gate::forbidden_by(const Forbidden& forbidden,
                                              const diff::Records<ClusterPlan>& plans) const {
  std::size_t actions = 0;
  std::vector<std::string> clusters;
  for (const ClusterPlan& plan : plans) {
    const Targets here = targets_of(plan, [&](const Action& each) { return forbids(forbidden, plan, each); });
    actions += here.count;
    if (here.count != 0) clusters.push_back(here.text);
  }
  if (actions == 0) return std::nullopt;
  return fmt::format("`--fail-on {}`: {} in {}: {}", forbidden.word, counted(actions, "action"),
                     counted(clusters.size(), "cluster"), names_of(clusters));
}

std::optional<std::string> Gate::too_many(const diff::Records<ClusterPlan>& plans, const MachineCount& machines) const {
  MachineCount replaced;
  std::vector<std::string> uncounted;
  for (const ClusterPlan& plan : plans) {
    replaced += replaced_by(plan);
    const Targets here =
        targets_of(plan, [](const Action& each) { return replaces_machines(each) && !each.machines.most; });
    if (here.count != 0) uncounted.push_back(here.text);
  }
  if (!replaced.most)
    return fmt::format("`--max-roll {}`: how many machines are replaced isn't known of {}", most_->word,
                       names_of(uncounted));
  // The highest possible share: the most replaced machines over the fewest other machines.
  const auto of_all = static_cast<double>(machines.least - replaced.least + *replaced.most);
  const double most = most_->is_percent ? most_->number / 100 * of_all : most_->number;
  if (static_cast<double>(*replaced.most) <= most) return std::nullopt;
  return fmt::format("`--max-roll {}`: {} of {} machines are replaced", most_->word, text_of(replaced),
                     text_of(machines));
}

std::vector<std::string> Gate::broken_by(const diff::Records<ClusterPlan>& plans, const MachineCount& machines) const {
  std::vector<std::string> lines;
  for (const Forbidden& forbidden : forbidden_) {
    if (auto line = forbidden_by(forbidden, plans)) lines.push_back(std::move(*line));
  }
  if (!most_) return lines;
  if (auto line = too_many(plans, machines)) lines.push_back(std::move(*line));
  return lines;
}

std::optional<std::string> Gate::broken_by_unknown(std::span<const std::string> clusters) const {
  if (clusters.empty() || (forbidden_.empty() && !most_)) return std::nullopt;
  const std::string word = most_ ? "--max-roll " + most_->word : "--fail-on " + forbidden_.front().word;
  return fmt::format("`{}`: what happens to {} isn't known", word,
                     names_of(std::vector<std::string>(clusters.begin(), clusters.end())));
}

std::vector<std::string> Gate::words() {
  std::vector<std::string> words{std::string(kAny)};
  for (int i = 0; i <= static_cast<int>(Verb::NoOp); ++i) words.emplace_back(verb_name(static_cast<Verb>(i)));
  return words;
}

}  // namespace capwright::plan
