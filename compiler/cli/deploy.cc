// `capwright deploy`: from a configuration to a running cluster.
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/shared_options.h"
#include "deploy/deployer.h"
#include "report/printable.h"
#include "source/real_long_process.h"
#include "source/real_private_files.h"
#include "source/real_system.h"
#include "workflow/deployment.h"
#include "workflow/real_clock.h"

namespace capwright::cli {
namespace {

struct DeployOptions {
  CommonOptions common;
  workflow::ValueOptions values;
  deploy::Options steps;
  bool dry_run = false, no_kubespray = false;
  std::string target;
  std::string clusters;
  std::optional<std::string> state_folder;
  std::vector<std::string> passed;  // names of variables
};

// Everything that is said goes to the log, too, which opens at the first line.
class DeployTerminal final : public deploy::Dialogue {
 public:
  DeployTerminal(Console& console, RealLongPrograms& programs, std::string log_folder, bool agrees)
      : console_(console), programs_(programs), log_folder_(std::move(log_folder)), agrees_(agrees) {}

  void say(deploy::Step step, std::string_view line) override {
    const std::string text = fmt::format("{:<20} {}", deploy::info(step).id, report::printable(line));
    console_.say(text);
    write_log(text + "\n");
  }
  void show_output(std::string_view lines) override {
    const std::string text = report::printable_lines(lines);
    console_.print(text);
    std::fflush(stdout);
    write_log(text);
  }
  void print(std::string_view text) override { console_.print(report::printable_lines(text)); }
  bool can_ask() override { return agrees_ || can_ask_user(); }
  bool agrees(std::string_view question) override {
    const auto waits = [&] { return programs_.wait_for_input(STDIN_FILENO); };  // Ctrl-C is an answer, too
    return agrees_ || (can_ask() && ask_user(question, waits));
  }

  // Empty: nothing was logged.
  const std::string& log_path() const { return log_path_; }

 private:
  void write_log(std::string_view text) {
    if (log_path_.empty()) open_log();
    const IoError error = log_.write(text);
    if (error && !has_failed_) console_.fail(fmt::format("`{}` can't be written: {}", log_path_, describe(error)));
    has_failed_ = has_failed_ || error;
  }
  void open_log() {
    std::string time = steps::rfc3339(real_seconds(), 0).substr(0, 19);
    std::replace(time.begin(), time.end(), ':', '-');
    log_path_ = fmt::format("{}/{}-{}.log", log_folder_, time, ::getpid());
    RealPrivateFiles files;
    IoError error = files.make_dirs(log_folder_);
    if (!error) error = log_.open(log_path_);
    if (error) console_.fail(fmt::format("`{}` can't be created: {}", log_path_, describe(error)));
    has_failed_ = error.code != 0;
  }

  Console& console_;
  RealLongPrograms& programs_;
  const std::string log_folder_;
  bool agrees_, has_failed_ = false;
  std::string log_path_;
  PrivateLog log_;
};

std::vector<deploy::Variable> process_environment() {
  std::vector<deploy::Variable> all;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::size_t sign = std::min(text.find('='), text.size());
    all.push_back({std::string(text.substr(0, sign)), std::string(text.substr(std::min(sign + 1, text.size())))});
  }
  return all;
}

std::string value_of(const std::vector<deploy::Variable>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
  return found == all.end() ? std::string() : found->value;
}

// The XDG folder of state, for one cluster.
std::string state_folder(const DeployOptions& options, const deploy::Settings& settings,
                         const std::vector<deploy::Variable>& environment) {
  std::string base = options.state_folder.value_or("");
  const std::string configured = value_of(environment, "XDG_STATE_HOME"), home = value_of(environment, "HOME");
  if (base.empty()) base = (configured.starts_with('/') ? configured : home + "/.local/state") + "/capwright";
  const std::string organization = settings.organization.empty() ? "_" : settings.organization;
  return std::filesystem::absolute(base).lexically_normal().string() + "/deploy/" + organization + "/" + settings.name;
}

std::string user_name(const std::vector<deploy::Variable>& environment) {
  const std::string name = value_of(environment, "USER");
  return name.empty() ? fmt::format("user {}", ::getuid()) : name;
}

deploy::Place place_of(const DeployOptions& options, deploy::Settings& settings) {
  const std::vector<deploy::Variable> environment = process_environment();
  deploy::Place place{user_name(environment),
                      host_name(),
                      process_id(),
                      state_folder(options, settings, environment),
                      deploy::inherited_variables(environment),
                      value_of(environment, "PATH")};
  for (const std::string& name : options.passed) {
    const std::string value = value_of(environment, name);
    if (value.empty()) continue;
    secrets::add_encoded(value, settings.secrets);
    place.environment.push_back({name, value});
  }
  if (settings.kubeconfig.empty()) settings.kubeconfig = place.state_folder + "/kubeconfig";
  return place;
}

int exit_code_of(const deploy::Ending& ending) {
  constexpr int kSignalled = 128;  // as shells do
  switch (ending.how) {
    case deploy::Ending::How::Done: return kClean;
    case deploy::Ending::How::Stopped: return kFindings;
    case deploy::Ending::How::Interrupted: return kSignalled + ending.signal;
    case deploy::Ending::How::Failed: break;
  }
  return kUsageError;
}

int run_deploy(DeployOptions& options) {
  Console console(options.common);
  const auto found = workflow::find_deployment(
      {options.common, options.values, options.target, options.clusters, process_environment()});
  {
    const report::Findings findings = found->findings();
    console.show(findings, true);
    if (exit_code(findings) != kClean) return kUsageError;
  }
  const deploy::Place place = place_of(options, found->settings);
  RealLongPrograms programs;
  DeployTerminal terminal(console, programs, place.state_folder + "/logs", options.steps.yes);
  ::umask(S_IRWXG | S_IRWXO);  // files of programs contain secrets, too: OpenTofu's state and plan
  workflow::RealClock clock;
  RealFs files;
  RealPrivateFiles kept;
  options.steps.kubespray = !options.no_kubespray;
  deploy::Deployer deployer({files, kept, programs, clock, terminal}, found->settings, options.steps, place);
  Sink sink;
  const deploy::Ending ending = options.dry_run ? deployer.show(sink) : deployer.run(sink);
  const SourceSet none;
  secrets::Redactor redactor;
  redactor.texts = found->settings.secrets;
  report::Findings findings;
  findings.add(sink.diagnostics(), none, redactor, "");
  console.show(findings, true);
  if (!terminal.log_path().empty()) console.say("log: " + terminal.log_path());
  return console.flush() ? exit_code_of(ending) : kUsageError;
}

class DeployCommand final : public CommandWith<DeployOptions> {
 public:
  void add_options(CLI::App& app) override {
    deploy::Options& steps = options_.steps;
    std::vector<std::pair<std::string_view, std::optional<deploy::Step>>> ids;
    std::vector<std::string> words;
    for (const deploy::StepInfo& step : deploy::steps()) {
      ids.emplace_back(step.id, step.step);
      words.emplace_back(step.id);
    }
    app.add_option("cluster", options_.target, "Cluster, or organization and cluster")
        ->type_name("[ORG/]NAME")
        ->required();
    app.add_option("--clusters", options_.clusters,
                   "Folder of opencenter's organizations (default: the working directory)")
        ->type_name("DIR");
    app.add_flag("--dry-run", options_.dry_run, "Print the steps and their commands; run nothing");
    app.add_flag("-y,--yes", steps.yes, "Apply the plan without a question");
    app.add_flag("--restart", steps.restart, "Run all steps again instead of resuming");
    CLI::Option* only = add_choice(app, "--step", steps.choice.only, ids, "Run only this step and those it needs");
    CLI::Option* from = add_choice(app, "--from-step", steps.choice.from, ids, "Run this step and all later ones");
    offer(only, "STEP", words);
    offer(from, "STEP", words)->excludes(only);
    app.add_flag("--no-kubespray", options_.no_kubespray, "Leave out the steps of Kubespray");
    app.add_flag("--break-lock", steps.break_lock, "Take the lock of another run that is dead");
    app.add_option("--lock-ttl", steps.lock_seconds, "Seconds until a lock expires that isn't renewed (default: 3600)")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 86'400));
    app.add_option("--ready-interval", steps.ready_interval, "Seconds between two looks at the cluster (default: 30)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0, 3600));
    app.add_option("--ready-timeout", steps.ready_seconds, "Seconds until the cluster must be ready (default: 1800)")
        ->type_name("SECONDS")
        ->check(CLI::Range(0, 86'400));
    app.add_option("--state-dir", options_.state_folder,
                   "Folder of state, locks and logs (default: $XDG_STATE_HOME/capwright)")
        ->type_name("DIR");
    add_list(app, "--pass-env", options_.passed, "Pass this environment variable to programs; repeatable")
        ->type_name("NAME");
    add_values(app, options_.values);
    add_common(app, options_.common);
  }
  int run() override { return run_deploy(options_); }
};

}  // namespace

const CommandInfo deploy_command{
    "deploy",
    "Create a cluster's infrastructure, step by step",
    make_command<DeployCommand>,
    {{"Show the steps and their commands", "capwright deploy acme/prod-a --dry-run"},
     {"Deploy, or resume an interrupted run", "capwright deploy acme/prod-a"},
     {"Wait again until the cluster is ready", "capwright deploy acme/prod-a --step readiness"}}};

}  // namespace capwright::cli
