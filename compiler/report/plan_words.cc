// Makes texts from inputs printable.
#include "report/plan_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "report/diff_words.h"
#include "report/printable.h"

namespace capwright::report {
namespace {

using plan::Target;
using plan::Verb;

constexpr std::string_view kMove = "DELETE and CREATE cluster in another namespace";

std::string target_words(const plan::Group& group) {
  switch (group.target) {
    case Target::Kind::Cluster: return "cluster";
    case Target::Kind::ControlPlane: return "control plane";
    case Target::Kind::Pool: return "pool";
    case Target::Kind::Release: return "add-on";
    case Target::Kind::Object: break;
  }
  return group.object;
}

std::string upper(std::string_view text) {
  std::string shout(text);
  std::transform(shout.begin(), shout.end(), shout.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  return shout;
}

std::string arrow(const std::string& from, const std::string& to) {
  if (from.empty() && to.empty()) return {};
  return fmt::format(" {} → {}", from.empty() ? "(unset)" : printable(from), to.empty() ? "(unset)" : printable(to));
}

std::string things(const plan::Group& group) {
  switch (group.target) {
    case Target::Kind::Cluster: return {};
    case Target::Kind::ControlPlane: return "control plane";
    case Target::Kind::Pool: return "pool";
    case Target::Kind::Release: return "add-on";
    case Target::Kind::Object: break;
  }
  return "object";
}

// "1 machine", "3 to 10 machines".
std::string machines_text(const plan::MachineCount& count) {
  if (!count.most && count.least == 0) return "an unknown number of machines";
  return fmt::format("{} machine{}", plan::text_of(count), count.most == 1 ? "" : "s");
}

// Whether a cluster may have several of them.
bool is_named(const plan::Group& group) {
  return group.target != Target::Kind::Cluster && group.target != Target::Kind::ControlPlane;
}

std::string names_text(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i == 0 ? "" : ", ") + printable(names[i]);
  return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

struct Totals {
  plan::MachineCount replaced, removed, added, orphaned;
};

void add(const plan::Action& action, Totals& sum) {
  switch (action.verb) {
    case Verb::Roll:
    case Verb::Upgrade: sum.replaced += action.machines; break;
    case Verb::Orphan: sum.orphaned += action.machines; break;
    case Verb::Delete: sum.removed += action.machines; break;
    case Verb::Create: sum.added += action.machines; break;
    case Verb::Scale: (action.grows ? sum.added : sum.removed) += action.machines; break;
    default: break;
  }
}

std::size_t other_folders_in(const FleetPlan& plan, const plan::Variant& variant) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < variant.places.size() && !plan.other_folders.empty(); ++i) {
    const std::string& name = plan.clusters.name(variant.places[i].cluster);
    if (plan.other_folders.contains(name)) names.insert(name);
  }
  return names.size();
}

Totals totals(const FleetPlan& plan) {
  Totals sum;
  for (const plan::ClusterPlan& cluster : plan.clusters) {
    for (const plan::Action& action : cluster.actions) add(action, sum);
  }
  return sum;
}

}  // namespace

std::string machines_of(Verb verb, const plan::MachineCount& machines) {
  const bool counts = verb != Verb::InPlace && verb != Verb::NoOp && verb != Verb::Unknown;
  return counts && machines.is_some() ? machines_text(machines) : "";
}

std::string move_title(const plan::Action& move) { return std::string(kMove) + arrow(move.from, move.to); }

std::string action_title(const plan::Action& action) {
  return printable(fmt::format("{} {}{}", upper(plan::verb_name(action.verb)), plan::text_of(action.target),
                               arrow(action.from, action.to)));
}

std::string group_title(const plan::Group& group, std::size_t most) {
  std::string title = group.is_move ? std::string(kMove)
                                    : fmt::format("{} {}", upper(plan::verb_name(group.verb)), target_words(group));
  if (title.ends_with(' ')) title.pop_back();  // a file has no kind
  if (is_named(group)) title += " " + names_text(group.names, most);
  if (group.variants.size() == 1) return title + arrow(group.variants[0].from, group.variants[0].to);
  return title + ": " + counted(group.variants.size(), "way");
}

std::string places_text(const FleetPlan& plan, const plan::Group& group, const plan::Variant& variant,
                        std::size_t most) {
  std::string text = machines_of(group.verb, variant.machines);
  const std::string what = things(group);
  if (!what.empty() && variant.places.size() != variant.clusters) {
    text += text.empty() ? "" : " of ";
    text += counted(variant.places.size(), what);
  }
  text += text.empty() ? "" : " in ";
  if (is_named(group) && group.variants.size() > 1 && group.names.size() > 1)
    text = names_text(variant.names, most) + ": " + text;
  text += counted_clusters(variant.clusters, other_folders_in(plan, variant), "cluster") + ": ";
  std::size_t named = 0;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < variant.places.size() && named < most; ++i) {
    const std::uint32_t cluster = variant.places[i].cluster;
    if (i > 0 && cluster == last) continue;
    last = cluster;
    text += (named++ == 0 ? "" : ", ") + printable(plan.clusters.name(cluster));
  }
  return variant.clusters > named ? fmt::format("{} and {} more", text, variant.clusters - named) : text;
}

std::string reason_text(const plan::Reason& reason, std::size_t most) {
  const std::string& path = reason.change.path;
  std::string text;
  const bool has_values = reason.change.before.exists || reason.change.after.exists;
  if (path.empty() && has_values) {  // a file without a structure
    const std::string lines = changed_lines_text(reason.change, most);
    text = fmt::format("{} {}: {}", sign_of(reason.change), reason.name,
                       lines.empty() ? values_text(reason.change, most) : lines);
  } else if (!path.empty() && has_values) {
    text = fmt::format("{} {} {}: {}", sign_of(reason.change), reason.object.empty() ? reason.name : reason.object,
                       path, values_text(reason.change, most));
  } else if (!path.empty()) {
    text = fmt::format("! {} {}", reason.object, path);
  } else if (reason.object.empty() && !reason.name.empty()) {
    text = "+ " + reason.name;
  }
  if (!reason.note.empty()) text += (text.empty() ? "" : " — ") + reason.note;
  return printable(text);
}

std::string maker_text(const diff::ShownMaker& maker) {
  if (maker.template_place.empty() && maker.value_place.empty()) return {};
  if (maker.value_place.empty()) return "by " + maker.template_place;
  const bool is_one = maker.template_place.empty() || maker.template_place == maker.value_place;  // in a patch
  if (is_one) return "by " + maker.value_place;
  return fmt::format("by {}, from {}", maker.template_place, maker.value_place);
}

std::vector<std::string> command_lines(const FleetPlan& plan, const plan::Variant& variant, std::size_t most) {
  std::vector<std::string> lines;
  std::size_t count = 0;
  for (const plan::Place& place : variant.places) {
    if (place.action == plan::Place::kMove) continue;
    const plan::ClusterPlan cluster = plan.clusters[place.cluster];
    for (const std::string& line : command_lines(cluster.actions[place.action])) {
      if (count++ < most) lines.push_back(line);
    }
  }
  if (count > most) lines.push_back(fmt::format("and {}; `-v` prints all", counted(count - most, "more command")));
  return lines;
}

std::vector<std::string> command_lines(const plan::Action& action) {
  std::vector<std::string> lines;
  for (const std::string& command : action.first) lines.push_back("before you merge: " + printable(command));
  for (const std::string& command : action.commands)
    lines.push_back("delete it after the commit: " + printable(command));
  return lines;
}

std::string plan_summary(const FleetPlan& plan) {
  const std::string failures = plan.failed != 0 ? failures_text(plan.failed, plan.not_compared, "cluster") : "";
  if (plan.compared == 0 && plan.failed != 0) return failures;
  if (plan.compared == 0 && !plan.faults.empty()) return "nothing can be compared";
  std::string text = failures.empty() ? "" : failures + "; ";
  const std::string compared = counted(plan.compared, plan.failed != 0 ? "other" : "cluster");
  std::size_t folders = 0;
  for (std::size_t i = 0; i < plan.clusters.size() && !plan.other_folders.empty(); ++i)
    folders += plan.other_folders.contains(plan.clusters.name(i)) ? 1 : 0;
  const std::size_t changed = plan.clusters.size() - folders;
  if (changed == 0) text += "no changes in " + compared;
  else text += fmt::format("{} of {} {}", changed, compared, changed == 1 ? "changes" : "change");
  if (folders != 0)
    text += fmt::format("; {} {}", counted(folders, "other folder"), folders == 1 ? "changes" : "change");
  if (plan.clusters.empty()) return text;
  const Totals sum = totals(plan);
  std::vector<std::string> counts;
  if (plan.machines.is_some() || sum.replaced.is_some())
    counts.push_back(fmt::format("{} of {} replaced", plan::text_of(sum.replaced), machines_text(plan.machines)));
  if (sum.removed.is_some()) counts.push_back(plan::text_of(sum.removed) + " removed");
  if (sum.added.is_some()) counts.push_back(plan::text_of(sum.added) + " added");
  if (sum.orphaned.is_some()) counts.push_back(plan::text_of(sum.orphaned) + " orphaned");
  if (!counts.empty()) text += fmt::format("; {}", fmt::join(counts, ", "));
  return text;
}

}  // namespace capwright::report
