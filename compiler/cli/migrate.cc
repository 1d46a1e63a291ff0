// `capwright migrate`: manifests and templates from old API versions to newer ones.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/suggest.h"
#include "migrate/tables.h"
#include "report/diff_words.h"
#include "report/palette.h"
#include "workflow/lint_targets.h"
#include "workflow/migrate_files.h"
#include "workflow/migrate_templates.h"

namespace capwright::cli {
namespace {

struct MigrateOptions {
  CommonOptions common;
  std::vector<std::string> targets;
  std::string to;
  bool check = false, diff = false, fix = false, replace_machines = false;
};

std::string versions_of(const migrate::MigratedDocument& document) {
  if (document.to_kind != document.kind)
    return fmt::format(": {} to {} {}", document.from, document.to, document.to_kind);
  return document.from == document.to ? std::string() : fmt::format(": {} to {}", document.from, document.to);
}

// A line for each object, and one for each of its fields.
std::string listed(const workflow::MigratedFile& file, bool fixes) {
  std::string text = fmt::format("{} {}\n", fixes ? "migrated" : "would migrate", report::printable(file.shown));
  for (const migrate::MigratedDocument& document : file.documents) {
    text += fmt::format("  {}{}{}\n", document.kind,
                        document.name.empty() ? "" : fmt::format(" `{}`", report::printable(document.name)),
                        versions_of(document));
    for (const std::string& step : document.steps) text += fmt::format("    {}\n", report::printable(step));
  }
  return text;
}

// An error for a version or kind that no table leads to. Otherwise empty.
std::string unknown_goal(const std::string& to) {
  std::vector<std::string_view> words;
  for (const migrate::Conversion& conversion : migrate::conversions()) {
    if (conversion.changes_kind() ? conversion.to_kind.starts_with(to) : conversion.to == to) return {};
    words.push_back(conversion.changes_kind() ? conversion.to_kind : conversion.to);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return fmt::format("`--to` takes the begin of one of {}, not `{}`", list_names(words, words.size()), to);
}

// An error for options that contradict each other. Otherwise empty.
std::string contradiction_in(const MigrateOptions& options) {
  const bool reads_input = std::find(options.targets.begin(), options.targets.end(), "-") != options.targets.end();
  if (reads_input && options.targets.size() > 1) return "`-` can't be combined with other files";
  if (reads_input && options.fix) return "`-` has no file to write; its result goes to standard output";
  if (options.fix && (options.check || options.diff)) return "`--fix` writes, `--check` and `--diff` don't: choose one";
  return options.to.empty() ? std::string() : unknown_goal(options.to);
}

// Standard input to standard output.
int run_filter(const workflow::MigratedFiles& files, const std::string& input, const MigrateOptions& options,
               workflow::OpenProject& open, Console& console) {
  if (options.diff) console.print(report::painted_diff(workflow::diff_of(files, open), console.color()));
  else if (!options.check) console.print(files.files.empty() ? input : files.files.front().after);
  const int faults = show_faults(open, console);
  if (!console.flush()) return kUsageError;
  for (const std::string& reason : files.skipped) console.say("note: " + reason);
  const bool has_findings = !files.skipped.empty() || ((options.check || options.diff) && !files.files.empty());
  return std::max<int>(faults, has_findings ? kFindings : kClean);
}

// Adds the templates of the clusters among the targets. Returns an error, or an empty text.
std::string add_templates(workflow::MigratedFiles& files, const workflow::LintTargets& targets,
                          const MigrateOptions& options, const migrate::Goal& goal, workflow::OpenProject& open) {
  if (targets.values.empty()) return {};
  workflow::MigratedTemplates templates =
      workflow::migrate_templates(options.common, targets.values, goal, options.replace_machines, open);
  std::move(templates.files.files.begin(), templates.files.files.end(), std::back_inserter(files.files));
  return templates.error;
}

int run_migrate(const MigrateOptions& options) {
  Console console(options.common);
  if (const std::string fault = contradiction_in(options); !fault.empty()) return console.fail(fault);
  workflow::Session session({.repository = options.common, .values = {}, .plain = {}, .writes = false, .output = {}});
  workflow::OpenProject& open = session.open();
  if (open.project == nullptr) return show_faults(open, console);
  const migrate::Goal goal = workflow::goal_of(session, options.to);
  const workflow::LintTargets targets = workflow::find_lint_targets(open, {options.targets, std::nullopt});
  if (open.sink.failed()) return show_faults(open, console);
  workflow::MigratedFiles files = workflow::migrate_files(session, targets.manifests, goal);
  if (const std::string error = add_templates(files, targets, options, goal, open); !error.empty())
    return console.fail(error);
  if (options.targets == std::vector<std::string>{"-"})
    return run_filter(files, targets.manifests.front().text, options, open, console);
  if (options.fix) {
    if (const std::string error = workflow::write_migrated(files); !error.empty()) return console.fail(error);
  }
  if (options.diff) console.print_beside(report::painted_diff(workflow::diff_of(files, open), console.colors_beside()));
  else
    for (const workflow::MigratedFile& file : files.files) console.print_beside(listed(file, options.fix));
  const int faults = show_faults(open, console);
  for (const std::string& note : targets.notes) console.say("note: " + note);
  for (const std::string& reason : files.skipped) console.say("note: " + reason);
  console.say(fmt::format("{} {}, {} unchanged", report::counted(files.files.size(), "file"),
                          options.fix ? "migrated" : "to migrate", files.unchanged));
  if (!console.flush()) return kUsageError;
  return std::max<int>(faults, options.fix || files.files.empty() ? kClean : kFindings);
}

class MigrateCommand final : public CommandWith<MigrateOptions> {
 public:
  void add_options(CLI::App& app) override {
    app.add_option("target", options_.targets,
                   "Manifests, folders of them, `-`, or clusters, whose templates are migrated (default: all clusters)")
        ->type_name("CLUSTER|FILE|DIR|-");
    app.add_option("--to", options_.to,
                   "A version such as `v1beta2`, where it is offered, or the begin of another kind such as `Nodeadm` "
                   "(default: the version that the targeted releases store)")
        ->type_name("VERSION|KIND");
    app.add_flag("--check", options_.check, "Write nothing; exit with 1 if a file would change (the default)");
    app.add_flag("--diff", options_.diff, "Write nothing; print the changes, and exit with 1 if there are any");
    app.add_flag("--fix,--write", options_.fix, "Write the migrated files");
    app.add_flag("--replace-machines", options_.replace_machines,
                 "Also migrate templates of machines whose names follow their specs");
    add_common(app, options_.common);
  }
  int run() override { return run_migrate(options_); }
};

}  // namespace

const CommandInfo migrate_command{
    "migrate",
    "Migrate manifests and templates to newer API versions",
    make_command<MigrateCommand>,
    {{"List the objects and fields to migrate", "capwright migrate deploy"},
     {"Migrate the manifests of a folder", "capwright migrate --fix deploy"},
     {"Migrate a stream", "kubectl get clusters -o yaml | capwright migrate - > new.yaml"}}};

}  // namespace capwright::cli
