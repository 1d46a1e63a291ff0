// The table of a command's steps, and those that the user chose. `Step` is an enumeration; the table has its values in
// order.
#pragma once
#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace capwright::steps {

template <class Step>
struct StepInfo {
  Step step;
  std::string_view id;     // for --step and state.json; never changes
  std::string_view title;  // what it does
  std::vector<Step> needs;
  bool changes;  // has effects outside of this process; a dry run skips it
};

// The requested steps; all without `only` and `from`.
template <class Step>
struct Choice {
  std::optional<Step> only;  // this one
  std::optional<Step> from;  // this step and all later ones
  bool dry_run = false;
};

template <class Step>
const StepInfo<Step>& info_in(std::span<const StepInfo<Step>> table, Step step) {
  return table[static_cast<std::size_t>(step)];
}

template <class Step>
std::optional<Step> find_in(std::span<const StepInfo<Step>> table, std::string_view id) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const StepInfo<Step>& step) { return step.id == id; });
  return found == table.end() ? std::nullopt : std::optional(found->step);
}

// Adds a step and all that it requires in the same run.
template <class Step>
void add_with_needs(std::span<const StepInfo<Step>> table, Step step, std::set<Step>& wanted) {
  if (!wanted.insert(step).second) return;
  for (const Step needed : info_in(table, step).needs) add_with_needs(table, needed, wanted);
}

// The chosen steps and all that they require, in order.
template <class Step>
std::vector<Step> chosen_in(std::span<const StepInfo<Step>> table, const Choice<Step>& choice) {
  std::set<Step> wanted;
  for (const StepInfo<Step>& step : table) {
    const bool chosen = choice.only ? step.step == *choice.only : !choice.from || step.step >= *choice.from;
    if (chosen) add_with_needs(table, step.step, wanted);
  }
  if (choice.dry_run) std::erase_if(wanted, [&](Step step) { return info_in(table, step).changes; });
  return {wanted.begin(), wanted.end()};
}

}  // namespace capwright::steps
