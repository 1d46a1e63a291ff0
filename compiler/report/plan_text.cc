// A fleet on one screen: each action once, with its clusters.
#include <fmt/format.h>

#include "report/plan_words.h"
#include "report/printable.h"
#include "report/text.h"

namespace capwright::report {
namespace {

constexpr std::size_t kMostPlanNames = 5, kMostWays = 4, kMostReasons = 6, kMostPlanValue = 100;
constexpr std::size_t kEvery = static_cast<std::size_t>(-1);

class PlanText {
 public:
  PlanText(const FleetPlan& plan, const PlanTextOptions& options)
      : plan_(plan), verbose_(options.verbose), color_(options.color), by_cluster_(options.by_cluster) {}

  std::string text() const {
    std::string text = plan_summary(plan_) + "\n";
    if (by_cluster_) {
      for (const plan::ClusterPlan& cluster : plan_.clusters) text += "\n" + cluster_text(cluster);
    } else {
      for (const plan::Group& group : plan::groups_of(plan_.clusters)) text += "\n" + group_text(group);
    }
    if (!plan_.findings.empty()) text += "\n" + as_text(plan_.findings, {color_});
    if (!plan_.broken.empty()) text += "\n";
    for (const std::string& line : plan_.broken) text += "not allowed: " + printable(line) + "\n";
    return text;
  }

 private:
  std::string group_text(const plan::Group& group) const {
    std::string text = group_title(group, verbose_ ? kEvery : kMostPlanNames) + "\n";
    const std::size_t most = verbose_ ? kEvery : kMostWays;
    for (std::size_t i = 0; i < group.variants.size() && i < most; ++i) {
      const plan::Variant& variant = group.variants[i];
      const bool single = group.variants.size() == 1;
      if (!single && !(variant.from.empty() && variant.to.empty()))
        text += fmt::format("  {} → {}\n", printable(variant.from), printable(variant.to));
      text += fmt::format("  {}\n", places_text(plan_, group, variant, verbose_ ? kEvery : kMostPlanNames));
      text += reasons_text(variant.reasons, "    ") + maker_line(variant.maker);
      for (const std::string& line : command_lines(plan_, variant, verbose_ ? kEvery : kMostPlanNames))
        text += "    " + line + "\n";
    }
    if (group.variants.size() > most)
      text += fmt::format("  and {} more ways, in {} together\n", group.variants.size() - most, group.clusters);
    return text;
  }

  std::string cluster_text(const plan::ClusterPlan& cluster) const {
    std::string text = printable(cluster.cluster) + "\n";
    if (cluster.move) text += action_text(move_title(*cluster.move), *cluster.move);
    for (const plan::Action& action : cluster.actions) {
      if (!action.is_part_of_move) text += action_text(action_title(action), action);
    }
    return text;
  }

  std::string action_text(const std::string& title, const plan::Action& action) const {
    const std::string machines = machines_of(action.verb, action.machines);
    std::string text = fmt::format("  {}{}\n", title, machines.empty() ? "" : ": " + machines) +
                       reasons_text(action.reasons, "    ") + maker_line(action.maker);
    for (const std::string& line : command_lines(action)) text += "    " + line + "\n";
    return text;
  }

  static std::string maker_line(const diff::ShownMaker& maker) {
    const std::string text = maker_text(maker);
    return text.empty() ? "" : "    " + text + "\n";
  }

  std::string reasons_text(const std::vector<plan::Reason>& reasons, std::string_view indent) const {
    std::string text;
    const std::size_t most = verbose_ ? kEvery : kMostReasons;
    for (std::size_t i = 0; i < reasons.size() && i < most; ++i) {
      const std::string reason = reason_text(reasons[i], verbose_ ? kEvery : kMostPlanValue);
      if (reason.empty()) continue;
      text += fmt::format("{}{}\n", indent, reason);
      const std::string maker = maker_text(reasons[i].change.maker);
      if (!maker.empty()) text += fmt::format("{}    {}\n", indent, maker);
    }
    if (reasons.size() > most) text += fmt::format("{}and {} more fields\n", indent, reasons.size() - most);
    return text;
  }

  const FleetPlan& plan_;
  bool verbose_, color_, by_cluster_;
};

}  // namespace

std::string plan_as_text(const FleetPlan& plan, const PlanTextOptions& options) {
  return PlanText(plan, options).text();
}

}  // namespace capwright::report
