// Rules are read where the configuration says they are.
#include <algorithm>
#include <fmt/format.h>

#include "lint/own/read_rules.h"
#include "report/printable.h"
#include "workflow/diagnostic_pages.h"
#include "workflow/lint_rules.h"
#include "workflow/shown_path.h"

namespace capwright::workflow {
namespace {

// Escapes a page for the terminal and keeps its line breaks.
std::string printable_lines(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    report::append_printable(shown, text.substr(0, end));
    if (end < text.size()) shown += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return shown;
}

}  // namespace

lint::own::Rules load_own_rules(OpenProject& open, const std::vector<std::string>& files) {
  const Workspace& workspace = open.project->workspace();
  Stage stage{open.sources, open.sink, open.arena, open.origins, open.limits};
  std::vector<std::string> paths;
  for (const std::string& file : files) paths.push_back(shown_path(workspace, file));
  if (files.empty())
    paths = lint::own::find_rule_files(open.fs, workspace, open.project->config().lint, stage, !open.bounds);
  return lint::own::read_rules(open.fs, workspace, paths, stage);
}

std::optional<std::string> own_rule_page(const RepositoryOptions& repository, const std::string& code_or_name) {
  const auto open = open_project({repository, {}, std::nullopt, false, std::nullopt});
  if (open->project == nullptr) return std::nullopt;
  const lint::own::Rules rules = load_own_rules(*open);
  const lint::own::Rule* rule = lint::own::find_rule(rules, code_or_name);
  if (rule == nullptr) return std::nullopt;
  std::string page = fmt::format("## {} {}\n\n{}", rule->code, rule->name, report::severity_name(rule->severity));
  if (!rule->kinds.empty()) page += fmt::format(", of {}", rule->kinds);
  return printable_lines(page + "\n\n" + below_heading(rule->page));
}

}  // namespace capwright::workflow
