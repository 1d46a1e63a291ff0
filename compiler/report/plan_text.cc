// A fleet on one screen: each action once, with its clusters.
#include <fmt/format.h>

#include "report/palette.h"
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
      : plan_(plan),
        verbose_(options.verbose),
        color_(options.color),
        by_cluster_(options.by_cluster),
        has_findings_(options.has_findings),
        palette_(palette_of(options.color)) {}

  void write_to(const Write& write) const {
    write(plan_summary(plan_) + "\n");
    if (by_cluster_) {
      for (const plan::ClusterPlan& cluster : plan_.clusters) write("\n" + cluster_text(cluster));
    } else {
      for (const plan::Group& group : plan::groups_of(plan_.clusters)) write("\n" + group_text(group));
    }
    std::string text;
    if (has_findings_ && !plan_.findings.empty()) text += "\n" + as_text(plan_.findings, {color_});
    if (!plan_.broken.empty()) text += "\n";
    for (const std::string& line : plan_.broken)
      text += painted("not allowed", palette_.error, palette_) + ": " + printable(line) + "\n";
    write(text);
  }

 private:
  // Red: what is lost or doesn't work. Yellow: machines are replaced, or may be.
  std::string_view color_of(plan::Verb verb) const {
    switch (verb) {
      case plan::Verb::Delete:
      case plan::Verb::Orphan:
      case plan::Verb::Rejected:
      case plan::Verb::Blocked: return palette_.error;
      case plan::Verb::Unknown:
      case plan::Verb::Upgrade:
      case plan::Verb::Roll:
      case plan::Verb::Scale: return palette_.warning;
      case plan::Verb::Create: return palette_.added;
      default: return palette_.bold;
    }
  }

  std::string group_text(const plan::Group& group) const {
    const std::string title = group_title(group, verbose_ ? kEvery : kMostPlanNames);
    std::string text = painted(title, group.is_move ? palette_.error : color_of(group.verb), palette_) + "\n";
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
    std::string text = painted(printable(cluster.cluster), palette_.bold, palette_) + "\n";
    if (cluster.move) text += action_text(painted(move_title(*cluster.move), palette_.error, palette_), *cluster.move);
    for (const plan::Action& action : cluster.actions) {
      if (!action.is_part_of_move)
        text += action_text(painted(action_title(action), color_of(action.verb), palette_), action);
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
      text += fmt::format("{}{}\n", indent, with_painted_sign(reason, palette_));
      const std::string maker = maker_text(reasons[i].change.maker);
      if (!maker.empty()) text += fmt::format("{}    {}\n", indent, maker);
    }
    if (reasons.size() > most) text += fmt::format("{}and {} more fields\n", indent, reasons.size() - most);
    return text;
  }

  const FleetPlan& plan_;
  bool verbose_, color_, by_cluster_, has_findings_;
  const Palette& palette_;
};

}  // namespace

void write_plan_text(const FleetPlan& plan, const PlanTextOptions& options, const Write& write) {
  PlanText(plan, options).write_to(write);
}

std::string plan_as_text(const FleetPlan& plan, const PlanTextOptions& options) {
  return written_by([&](const Write& write) { write_plan_text(plan, options, write); });
}

}  // namespace capwright::report
