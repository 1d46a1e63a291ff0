// Checks combinations of options; the parser checks each one separately.
#include "cli/contradictions.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>

#include "diag/suggest.h"

namespace capwright::cli {
namespace {

// An error for a format that isn't one of `forms`; otherwise empty.
std::string unknown_form(const CommonOptions& options, std::string_view command,
                         std::initializer_list<std::string_view> forms) {
  std::vector<std::string> asked{options.form};
  for (const ReportFile& file : options.report_files) asked.push_back(file.form);
  const std::vector<std::string_view> known(forms);
  for (const std::string& form : asked) {
    if (std::find(known.begin(), known.end(), form) != known.end()) continue;
    return fmt::format("`capwright {}` prints {}, not `{}`", command, list_names(known, known.size()), form);
  }
  return {};
}

std::string contradiction(const ComparisonOptions& options, std::size_t budget) {
  if (options.base && options.output) return "`--base` and `--output` exclude each other";
  if (options.merge_base && !options.base) return "`--merge-base` needs `--base REVISION`";
  if (options.merge_base && !options.needs_git())
    return fmt::format("`--merge-base` needs a revision, but `{}` is a folder", *options.base);
  const auto& files = options.common.report_files;
  const bool prints_markdown =
      options.common.form == "markdown" ||
      std::any_of(files.begin(), files.end(), [](const ReportFile& file) { return file.form == "markdown"; });
  return budget != 0 && !prints_markdown ? "`--budget` needs `--format markdown`" : "";
}

}  // namespace

std::string contradiction(const RenderOptions& options, const PlainTemplates& plain) {
  std::vector<std::string_view> modes;
  if (options.check) modes.push_back("--check");
  if (options.to_stdout) modes.push_back("--stdout");
  if (options.list) modes.push_back("--list");
  if (modes.size() > 1) return fmt::format("`{}` and `{}` exclude each other", modes[0], modes[1]);
  if (options.source_map && (options.check || options.list))
    return fmt::format("`--source-map` writes files, but `{}` writes none", modes[0]);
  return !plain.folder.empty() && plain.main.empty() ? "`--template-dir` needs `--main`, the template to render" : "";
}

std::string contradiction(const DiffOptions& options) {
  std::string why = unknown_form(options.common, "diff", {"text", "json", "markdown"});
  if (!why.empty()) return why;
  if (options.text && options.common.form != "text")
    return fmt::format("`--text` and `--format {}` exclude each other", options.common.form);
  return contradiction(options, options.budget);
}

std::string contradiction(const PlanOptions& options) {
  const std::string why = unknown_form(options.common, "plan", {"text", "json", "markdown", "github"});
  return why.empty() ? contradiction(options, options.budget) : why;
}

std::string contradiction(const TestOptions& options) {
  const std::string why = unknown_form(options.common, "test", {"text", "json", "junit"});
  if (!why.empty()) return why;
  return options.force && !options.update ? "`--force` needs `--update`" : "";
}

std::string contradiction(const AuditOptions& options) {
  return unknown_form(options.common, "audit", {"text", "json"});
}

std::string contradiction(const RulesOptions& options) {
  if (options.test) return {};
  if (!options.common.report_files.empty())
    return fmt::format("`capwright rules` can't write a file; use `capwright rules > {}`",
                       options.common.report_files.front().path);
  return unknown_form(options.common, "rules", {"text", "concise", "json"});
}

std::string contradiction(const std::vector<std::string>& targets, const std::optional<std::string>& stdin_filename) {
  const bool reads_input = std::find(targets.begin(), targets.end(), "-") != targets.end();
  return stdin_filename && !reads_input ? "`--stdin-filename` needs `-` as a target" : "";
}

std::string contradiction(const LeftoversOptions& options) {
  return unknown_form(options.common, "leftovers", {"text", "json"});
}

std::string contradiction(const CatalogueListOptions& options) {
  return unknown_form(options.common, "catalogue list", {"text", "json"});
}

std::string contradiction(const GraphOptions& options) {
  return contradiction(options.targets, options.stdin_filename);
}

}  // namespace capwright::cli
