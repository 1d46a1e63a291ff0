// Selectors are codes, prefixes of codes, and names; one that matches nothing is an error.
#include <algorithm>
#include <fmt/format.h>
#include <vector>

#include "lint/engine/rules.h"
#include "workflow/lint_rules.h"
#include "yaml/read.h"

namespace capwright::workflow {
namespace {

// Every selector in `lint:`, as a text of the configuration.
std::vector<Value> selectors_in(const Value& section) {
  std::vector<Value> selectors;
  const auto add_items = [&](const Value* list) {
    if (list != nullptr) selectors.insert(selectors.end(), list->items().begin(), list->items().end());
  };
  add_items(section.find("select"));
  add_items(section.find("ignore"));
  if (const Value* paths = section.find("per_path_ignores")) {
    for (const Entry& path : paths->entries()) add_items(&path.value);
  }
  if (const Value* severities = section.find("severities")) {
    for (const Entry& rule : severities->entries()) selectors.push_back(rule.key);
  }
  return selectors;
}

// "capwright.yaml:3:12"; empty if an option contains the selector.
std::string place_in_config(std::string_view selector, OpenProject& open) {
  const FileId file = open.project->config().file;
  if (file == FileId::None) return {};
  Sink unasked;  // it was read before
  Stage stage{open.sources, unasked, open.arena, open.origins, open.limits};
  const Value document = read_yaml(file, stage);
  const Value* section = document.find("lint");
  if (section == nullptr) return {};
  for (const Value& named : selectors_in(*section)) {
    const Span where = open.origins[named.origin()].span;
    if (named.text() != selector || !where.known()) continue;
    const LineCol at = open.sources.line_col(where);
    return fmt::format("{}:{}:{}", open.sources.path(file), at.line, at.column);
  }
  return {};
}

}  // namespace

lint::Selection selection_of(const LintRequest& request, const Config& config, const lint::own::Rules& own) {
  lint::Selection selection = lint::selection_of(config.lint, own);
  if (!request.select.empty()) selection.select = request.select;
  selection.ignore.insert(selection.ignore.end(), request.ignore.begin(), request.ignore.end());
  return selection;
}

std::vector<std::string> faulty_selectors(const lint::Selection& selection, OpenProject& open) {
  std::vector<std::string_view> ignored(selection.ignore.begin(), selection.ignore.end());
  for (const auto& [glob, selectors] : selection.ignore_at)
    ignored.insert(ignored.end(), selectors.begin(), selectors.end());
  std::vector<std::string_view> given(selection.select.begin(), selection.select.end());
  given.insert(given.end(), ignored.begin(), ignored.end());
  for (const auto& [selector, severity] : selection.severities) given.push_back(selector);
  std::vector<std::string> faults;
  const auto tell = [&](std::string_view selector, const std::string& fault) {
    const std::string place = place_in_config(selector, open);
    const std::string message = place.empty() ? fault : place + ": " + fault;
    if (std::find(faults.begin(), faults.end(), message) == faults.end()) faults.push_back(message);
  };
  for (const std::string_view selector : given) {
    if (lint::is_selector(selector, selection)) continue;
    const std::string suggestion = lint::nearest_selector(selector, selection);
    tell(selector, fmt::format("unknown rule `{}`{}{}", selector, suggestion.empty() ? "" : "; ", suggestion));
  }
  for (const std::string_view selector : ignored) {
    if (lint::is_selector(selector, selection) && !lint::can_be_ignored(selector, selection))
      tell(selector, fmt::format("`{}` can't be ignored: errors of a render and CAP819 are always reported", selector));
  }
  return faults;
}

}  // namespace capwright::workflow
