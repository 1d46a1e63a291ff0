// `capwright publish`: from a clean commit to a branch of the remote.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/console.h"
#include "cli/open_project.h"
#include "cli/planned_fleet.h"
#include "cli/publish_audit.h"
#include "cli/publish_fleet.h"
#include "cli/publish_remote.h"
#include "diag/catalog/repository.h"
#include "embedded/embedded.h"
#include "pipeline/read_source.h"
#include "publish/publisher.h"
#include "report/printable.h"
#include "source/real_system.h"
#include "yaml/read.h"

namespace capwright::cli {
namespace {

class RealClock final : public publish::Clock {
 public:
  std::int64_t seconds() override { return real_seconds(); }
  int nanoseconds() override { return real_nanoseconds(); }
  void wait(std::int64_t seconds) override { real_wait(seconds); }
};

class Terminal final : public publish::Dialogue {
 public:
  Terminal(Console& console, bool agrees) : console_(console), agrees_(agrees) {}

  void say(publish::Step step, std::string_view line) override {
    // Names of people and addresses come from elsewhere, and may hold what a terminal obeys.
    console_.say(fmt::format("{:<10} {}", publish::info(step).id, report::printable(line)));
  }
  void show_diff(std::string_view text) override { console_.print(text); }
  bool can_ask() override {
    return agrees_ || (!is_switched_on("CI") && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1);
  }
  bool agrees(std::string_view question) override {
    if (agrees_ || !can_ask()) return true;
    std::fflush(stdout);
    std::fputs(fmt::format("{} [y/N] ", report::printable(question)).c_str(), stderr);
    std::array<char, 64> answer{};
    if (std::fgets(answer.data(), answer.size(), stdin) == nullptr) return false;
    const std::string_view word(answer.data());
    return word == "y\n" || word == "yes\n" || word == "Y\n";
  }

 private:
  Console& console_;
  bool agrees_;
};

publish::Place place_of_process() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host = {'?'};
  return {host.data(), static_cast<int>(::getpid()), minutes_east(real_seconds()), std::string(embedded::version())};
}

// The configuration has been read and found right when the project was opened.
publish::Settings settings_of(const OpenProject& open, const CommonOptions& common) {
  if (open.project->config().file == FileId::None) return {};
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Stage stage{sources, sink, arena, origins, open.limits};
  const std::string name =
      common.config ? std::filesystem::path(*common.config).filename().string() : std::string(kConfigName);
  const auto file = read_source(open.project->fs(), open.project->workspace(), name, Span(), stage);
  return file ? publish::read_settings(read_yaml(*file, stage)) : publish::Settings();
}

void print_plan(const publish::Choice& choice, Console& console) {
  publish::Choice all = choice;
  all.dry_run = false;
  int number = 0;
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

int show_end(publish::End end, const Sink& sink, const OpenProject& open, Console& console) {
  report::Findings findings;
  findings.add(sink.diagnostics(), open.sources, nullptr, "");
  console.show(findings, true);
  if (!console.flush() || end == publish::End::Failed) return kUsageError;
  return end == publish::End::Stopped ? kFindings : kClean;
}

}  // namespace

int run_publish(const PublishOptions& options) {
  Console console(options.common);
  plan::Gate gate;
  if (!read_gate({options.fail_on, options.allow_delete, options.max_roll}, gate, console)) return kUsageError;
  const auto open = open_project({.common = options.common,
                                  .values = {},
                                  .plain = {},
                                  .writes = true,
                                  .output = {},
                                  .force = options.force,
                                  .encrypts = true});
  if (open->project == nullptr) return std::max<int>(show_faults(*open, console), kUsageError);
  Sink sink;
  const std::string& prefix = open->project->workspace().prefix;
  const auto repository = git::open_repository(prefix.empty() ? "." : prefix, sink);
  if (repository == nullptr) return show_end(publish::End::Failed, sink, *open, console);
  RealClock clock;
  Terminal terminal(console, options.steps.yes);
  CommittedFleet fleet({*open, *repository, console, gate, options.force, options.prune, options.jobs});
  std::string why;
  const auto rows = audit_place(*open, *repository, !options.steps.choice.dry_run, why);
  if (!rows) return console.fail(why), kUsageError;
  AuditRows audit(*rows);
  const publish::Settings settings = settings_of(*open, options.common);
  if (pushes(options.steps.choice) && !settings.unattended && !terminal.can_ask()) {
    sink.report(diag::publish_unconfirmed, Span())
        .advise(
            "pass `--yes`, or set `publish.unattended: true` in capwright.yaml; `--dry-run` shows what it would do");
    return show_end(publish::End::Failed, sink, *open, console);
  }
  ChosenRemote chosen(*open, *repository, settings,
                      {options.steps.choice.dry_run, options.steps.run_hooks, options.token_env, options.token_file});
  publish::Remote* remote = chosen.choose(sink);
  if (remote == nullptr) return show_end(publish::End::Failed, sink, *open, console);
  // Without the remote no step works, and a list of steps would hide that.
  if (options.steps.choice.dry_run && !repository->remote_url(settings.remote, sink))
    return show_end(publish::End::Failed, sink, *open, console);
  if (options.steps.choice.dry_run) print_plan(options.steps.choice, console);
  publish::Publisher publisher({*repository, *remote, open->files, open->programs, clock, terminal, fleet, &audit},
                               settings, options.steps, place_of_process());
  const publish::End end = publisher.run(sink);
  return show_end(end, sink, *open, console);
}

}  // namespace capwright::cli
