// Selectors are codes, beginnings of codes, and names; what names nothing is a mistake.
#include "cli/lint_selection.h"

#include <fmt/format.h>
#include <vector>

#include "lint/rules.h"

namespace capwright::cli {

lint::Selection selection_of(const LintOptions& options, const Config& config, const lint::own::Rules& own) {
  lint::Selection selection = lint::selection_of(config.lint, own);
  if (!options.select.empty()) selection.select = options.select;
  selection.ignore.insert(selection.ignore.end(), options.ignore.begin(), options.ignore.end());
  return selection;
}

std::string faulty_selector(const lint::Selection& selection) {
  std::vector<std::string_view> ignored(selection.ignore.begin(), selection.ignore.end());
  for (const auto& [glob, selectors] : selection.ignore_at)
    ignored.insert(ignored.end(), selectors.begin(), selectors.end());
  std::vector<std::string_view> given(selection.select.begin(), selection.select.end());
  given.insert(given.end(), ignored.begin(), ignored.end());
  for (const auto& [selector, severity] : selection.severities) given.push_back(selector);
  for (const std::string_view selector : given) {
    if (lint::is_selector(selector, selection)) continue;
    const std::string suggestion = lint::nearest_selector(selector, selection);
    return fmt::format("no rule is called `{}`{}{}", selector, suggestion.empty() ? "" : "; ", suggestion);
  }
  for (const std::string_view selector : ignored) {
    if (!lint::can_be_ignored(selector, selection))
      return fmt::format("`{}` can't be ignored: without what a render refuses there is nothing to look at", selector);
  }
  return {};
}

}  // namespace capwright::cli
