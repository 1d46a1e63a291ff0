// `capwright publish`: from a clean commit to a branch of the remote.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/comparison_options.h"
#include "cli/console.h"
#include "cli/faults.h"
#include "cli/shared_options.h"
#include "diag/catalog/repository.h"
#include "publish/publisher.h"
#include "report/printable.h"
#include "workflow/open_project.h"
#include "workflow/planned_fleet.h"
#include "workflow/publish_audit.h"
#include "workflow/publish_fleet.h"
#include "workflow/publish_remote.h"
#include "workflow/publish_settings.h"
#include "workflow/real_clock.h"

namespace capwright::cli {
namespace {

struct PublishOptions {
  CommonOptions common;
  publish::Options steps;
  workflow::GateOptions gate;
  std::optional<std::string> token_env, token_file;  // where to read the token for Gitea's API
  bool force = false;
  bool prune = false;  // delete folders of clusters without values
  unsigned jobs = 0;   // 0: one per processor
};

class Terminal final : public publish::Dialogue {
 public:
  Terminal(Console& console, bool agrees) : console_(console), agrees_(agrees) {}

  void say(publish::Step step, std::string_view line) override {
    // Names of people and addresses come from elsewhere, and may hold what a terminal obeys.
    console_.say(fmt::format("{:<10} {}", publish::info(step).id, report::printable(line)));
  }
  void insist(publish::Step step, std::string_view line) override {
    console_.insist(fmt::format("{:<10} {}", publish::info(step).id, report::printable(line)));
  }
  void show_diff(std::string_view text) override { console_.print(text); }
  bool can_ask() override { return agrees_ || can_ask_user(); }
  bool agrees(std::string_view question) override { return agrees_ || !can_ask() || ask_user(question); }

 private:
  Console& console_;
  bool agrees_;
};

void print_steps(const publish::Choice& choice, Console& console) {
  publish::Choice all = choice;
  all.dry_run = false;
  int number = 0;
  console.print("\nsteps\n");
  for (const publish::Step step : publish::chosen_steps(all)) {
    const publish::StepInfo& info = publish::info(step);
    console.print(fmt::format("{:>2}. {:<10} {}{}\n", ++number, info.id, info.title,
                              choice.dry_run && info.changes ? " (not in a dry run)" : ""));
  }
}

bool pushes(const publish::Choice& choice) {
  const std::vector<publish::Step> chosen = publish::chosen_steps(choice);
  return std::find(chosen.begin(), chosen.end(), publish::Step::Push) != chosen.end();
}

int show_end(publish::End end, const Sink& sink, const workflow::OpenProject& open, Console& console) {
  report::Findings findings;
  findings.add(sink.diagnostics(), open.sources, {}, "");
  console.show(findings, true);
  if (!console.flush() || end == publish::End::Failed) return kUsageError;
  return end == publish::End::Stopped ? kFindings : kClean;
}

int run_publish(const PublishOptions& options) {
  Console console(options.common);
  plan::Gate gate;
  const std::string bad_gate = workflow::read_gate(options.gate, gate);
  if (!bad_gate.empty()) return console.fail(bad_gate);
  const auto open = workflow::open_project({.repository = options.common,
                                            .values = {},
                                            .plain = {},
                                            .writes = true,
                                            .output = {},
                                            .force = options.force,
                                            .encrypts = true,
                                            .keeps_manifests = true});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  Sink sink;
  const std::string& prefix = open->project->workspace().prefix;
  const auto repository = git::open_repository(prefix.empty() ? "." : prefix, sink);
  if (repository == nullptr) return show_end(publish::End::Failed, sink, *open, console);
  workflow::RealClock clock;
  Terminal terminal(console, options.steps.yes);
  workflow::CommittedFleet fleet({*open, *repository, gate, options.force, options.prune, options.jobs,
                                  options.common.verbose,
                                  [&](const report::Findings& findings) { console.show(findings, true); },
                                  [&](const std::string& error) { console.fail(error); }});
  std::string why;
  const auto rows = workflow::audit_place(*open, *repository, !options.steps.choice.dry_run, why);
  if (!rows) return console.fail(why);
  workflow::AuditRows audit(*rows);
  const publish::Settings settings = workflow::publish_settings(*open, options.common);
  if (pushes(options.steps.choice) && !settings.unattended && !terminal.can_ask()) {
    sink.report(diag::publish_unconfirmed, Span())
        .advise(
            "pass `--yes`, or set `publish: {unattended: true}` in capwright.yaml; `--dry-run` shows what it would do");
    return show_end(publish::End::Failed, sink, *open, console);
  }
  workflow::ChosenRemote chosen(
      *open, *repository, settings,
      {options.steps.choice.dry_run, options.steps.run_hooks, options.token_env, options.token_file});
  publish::Remote* remote = chosen.choose(sink);
  if (remote == nullptr) return show_end(publish::End::Failed, sink, *open, console);
  publish::Publisher publisher({*repository, *remote, open->files, open->programs, clock, terminal, fleet, &audit},
                               settings, options.steps, workflow::place_of_process());
  const publish::End end = publisher.run(sink);
  // After an error or a refused plan, a list of steps would suggest that they can run.
  if (options.steps.choice.dry_run && end == publish::End::Done) print_steps(options.steps.choice, console);
  return show_end(end, sink, *open, console);
}

class PublishCommand final : public CommandWith<PublishOptions> {
 public:
  void add_options(CLI::App& app) override {
    publish::Options& steps = options_.steps;
    std::vector<std::pair<std::string_view, std::optional<publish::Step>>> ids;
    for (const publish::StepInfo& step : publish::steps()) ids.emplace_back(step.id, step.step);
    app.add_flag("--dry-run", steps.choice.dry_run, "Print the steps and the changes; change nothing");
    app.add_flag("-y,--yes", steps.yes, "Don't ask");
    app.add_flag("--restart", steps.restart, "Start over instead of resuming an interrupted run");
    CLI::Option* only = add_choice(app, "--step", steps.choice.only, ids, "Run only this step and those it needs");
    CLI::Option* from = add_choice(app, "--from-step", steps.choice.from, ids, "Run this step and all later ones");
    std::vector<std::string> words;
    for (const auto& [word, step] : ids) words.emplace_back(word);
    offer(only, "STEP", words);
    offer(from, "STEP", words)->excludes(only);
    app.add_flag("--break-lock", steps.break_lock, "Take the lock of another run that is dead");
    app.add_option("--wait", steps.wait_seconds, "Seconds to wait for the lock (default: `publish.lock.wait`)")
        ->type_name("SECONDS");
    app.add_flag("--auto-commit", steps.auto_commit, "Commit uncommitted changes first");
    app.add_flag("--confirm-commit", steps.confirm_commit, "Like --auto-commit, but ask on the terminal first");
    app.add_flag("--run-hooks", steps.run_hooks, "Run the hooks commit-msg and pre-push of this clone");
    app.add_option("--token-env", options_.token_env, "Environment variable with the token for Gitea's API")
        ->type_name("NAME");
    app.add_option("--token-file", options_.token_file, "File with the token for Gitea's API")->type_name("FILE");
    app.add_flag("--force", options_.force, "Overwrite files that were edited on the branch");
    app.add_flag("--allow-older", steps.allow_older,
                 "Publish also if the checked-out commit lacks the one that is published");
    app.add_flag("--prune", options_.prune, "Remove folders of clusters that no longer have a values file");
    add_gate(app, options_.gate);
    app.add_option("-j,--jobs", options_.jobs, "Number of clusters to render in parallel")->type_name("N");
    add_common(app, options_.common);
  }
  int run() override { return run_publish(options_); }

 protected:
  std::string contradiction() const override {
    const std::vector<publish::Step> chosen = publish::chosen_steps(options_.steps.choice);
    const bool plans = std::find(chosen.begin(), chosen.end(), publish::Step::Diff) != chosen.end();
    return plans || options_.gate.fail_on.empty() ? "" : "`--fail-on` is a limit for the plan, but `diff` isn't run";
  }
};

}  // namespace

const CommandInfo publish_command{
    "publish",
    "Render the checked-out commit and push the result",
    make_command<PublishCommand>,
    {{"Show the steps and what would change", "capwright publish --dry-run"},
     {"Publish without a question, as in a pipeline", "capwright publish --yes"},
     {"Refuse to publish if a cluster is deleted", "capwright publish --fail-on delete-cluster"}}};

}  // namespace capwright::cli
