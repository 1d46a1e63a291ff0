// A comment on a change, and annotations of a workflow.
#include <algorithm>
#include <fmt/format.h>

#include "report/diff_words.h"
#include "report/formats.h"
#include "report/markdown.h"
#include "report/plan_words.h"
#include "report/printable.h"

namespace capwright::report {
namespace {

constexpr std::size_t kPlanNames = 10, kPlanVariants = 4, kReasonsShown = 6, kPlanValue = 200;

// One kind of action as a list item.
std::string item_of(const FleetPlan& plan, const plan::Group& group) {
  std::string item = fmt::format("- **{}**\n", markdown_code(printable(group_title(group, kPlanNames))));
  for (std::size_t i = 0; i < group.variants.size() && i < kPlanVariants; ++i) {
    const plan::Variant& variant = group.variants[i];
    const bool has_arrow = group.variants.size() > 1 && !(variant.from.empty() && variant.to.empty());
    item +=
        fmt::format("  - {}{}\n", has_arrow ? markdown_code(printable(variant.from + " → " + variant.to)) + ": " : "",
                    markdown_line(places_text(plan, group, variant, kPlanNames)));
    for (std::size_t j = 0; j < variant.reasons.size() && j < kReasonsShown; ++j) {
      const std::string reason = reason_text(variant.reasons[j], kPlanValue);
      if (reason.empty()) continue;
      const std::string maker = maker_text(variant.reasons[j].change.maker);
      item += fmt::format("    - {}{}\n", markdown_code(printable(reason)),
                          maker.empty() ? "" : " " + markdown_line(maker));
    }
    if (const std::string maker = maker_text(variant.maker); !maker.empty())
      item += fmt::format("    - {}\n", markdown_line(maker));
    for (const std::string& line : command_lines(plan, variant, kPlanNames))
      item +=
          fmt::format("    - {}\n", line.starts_with("and ") ? markdown_line(line) : markdown_code(printable(line)));
    if (variant.reasons.size() > kReasonsShown)
      item += fmt::format("    - and {} more fields\n", variant.reasons.size() - kReasonsShown);
  }
  if (group.variants.size() > kPlanVariants)
    item += fmt::format("  - and {} more ways\n", group.variants.size() - kPlanVariants);
  return item;
}

// A message for a workflow command, on one line (docs.github.com, workflow commands).
std::string on_one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == '%') line += "%25";
    else if (c == '\r') line += "%0D";
    else if (c == '\n') line += "%0A";
    else line += c;
  }
  return line;
}

}  // namespace

std::string plan_as_markdown(const FleetPlan& plan, std::size_t budget, std::string_view folder, bool has_help) {
  std::string head = fmt::format("### capwright plan: {}\n", markdown_line(plan_summary(plan)));
  for (const std::string& line : plan.broken) head += fmt::format("\n**not allowed:** {}\n", markdown_line(line));
  std::vector<std::string> items;
  for (const auto& findings : {plan.faults, plan.findings}) {
    for (const Finding& finding : findings) items.push_back(markdown_item(finding, folder, has_help));
  }
  for (const plan::Group& group : plan::groups_of(plan.clusters)) items.push_back(item_of(plan, group));
  if (!items.empty()) head += "\n";
  std::size_t size = head.size();
  for (const std::string& item : items) size += item.size();
  if (has_help && budget != 0 && size > budget) return plan_as_markdown(plan, budget, folder, false);
  return within_budget(std::move(head), items, "item", budget);
}

std::string plan_as_github(const FleetPlan& plan, std::string_view folder) {
  std::string text = as_github(plan.faults, folder) + as_github(plan.findings, folder);
  for (const std::string& line : plan.broken)
    text += fmt::format("::error title=capwright plan::{}\n", on_one_line(printable(line)));
  text += fmt::format("::notice title=capwright plan::{}\n", on_one_line(plan_summary(plan)));
  for (const plan::Group& group : plan::groups_of(plan.clusters)) {
    if (group.verb == plan::Verb::InPlace || group.verb == plan::Verb::NoOp) continue;
    std::string message = group_title(group, kPlanNames);
    for (std::size_t i = 0; i < group.variants.size() && i < kPlanVariants; ++i)
      message += "\n" + places_text(plan, group, group.variants[i], kPlanNames);
    const bool warns = group.verb == plan::Verb::Delete || group.verb == plan::Verb::Orphan ||
                       group.verb == plan::Verb::Blocked || group.verb == plan::Verb::Unknown;
    std::string_view level = "notice";
    if (group.verb == plan::Verb::Rejected) level = "error";
    else if (warns) level = "warning";
    text += fmt::format("::{} title=capwright plan::{}\n", level, on_one_line(message));
  }
  return text;
}

}  // namespace capwright::report
