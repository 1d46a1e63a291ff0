// What each step does.
#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <functional>

#include "base/ascii.h"
#include "deploy/deployer.h"
#include "deploy/kubeconfig.h"
#include "diag/catalog/deploy.h"
#include "files/io_fault.h"
#include "secrets/redacting_stream.h"
#include "text/trim.h"

namespace capwright::deploy {
namespace {

constexpr std::uint64_t kLargestKubeconfig = 1u << 20;  // bytes
constexpr std::size_t kMostAnswer = 1u << 20;           // bytes of an answer of kubectl

// `tofu plan -detailed-exitcode`: 0 without changes, 2 with.
constexpr int kPlanHasChanges = 2;

std::string name_of(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

// The first line with a version such as `1.2`: a warning may precede it.
std::string_view version_line(std::string_view output) {
  for (std::string_view rest = output; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    for (std::size_t dot = line.find('.'); dot != std::string_view::npos; dot = line.find('.', dot + 1)) {
      if (dot > 0 && dot + 1 < line.size() && is_digit(line[dot - 1]) && is_digit(line[dot + 1])) return line;
    }
  }
  return output.substr(0, output.find('\n'));
}

class KeptOutput final : public RunListener {
 public:
  explicit KeptOutput(std::string& text) : text_(text) {}
  void receive(std::string_view bytes) override {
    text_.append(bytes.substr(0, kMostAnswer - std::min(kMostAnswer, text_.size())));
  }

 private:
  std::string& text_;
};

// Shows output without secrets, and keeps the lock alive.
class ShownOutput final : public RunListener {
 public:
  ShownOutput(const SecretTexts& secrets, Dialogue& dialogue, std::function<void()> on_tick)
      : stream_(secrets, [&dialogue](std::string_view lines) { dialogue.show_output(lines); }),
        on_tick_(std::move(on_tick)) {}
  void receive(std::string_view bytes) override { stream_.write(bytes); }
  void tick() override { on_tick_(); }
  void finish() { stream_.finish(); }

 private:
  secrets::RedactingStream stream_;
  std::function<void()> on_tick_;
};

}  // namespace

std::optional<LongRun> Deployer::prepared(const Command& command, Sink& sink) {
  LongRun run;
  run.program = command.program;
  if (command.program.find('/') == std::string::npos) {
    run.program = world_.programs.find(command.program, place_.search_path);
    if (run.program.empty()) {
      sink.report(diag::deployment_program_missing, Span(), command.program);
      return std::nullopt;
    }
  }
  if (!lock_programs(false, sink)) return std::nullopt;
  run.arguments = command.arguments;
  run.folder = command.folder;
  run.kept = static_cast<int>(programs_.id());
  std::vector<Variable> variables = environment_of(settings_, place_.environment);
  for (Variable& each : variables)
    if (each.name == "PATH" && !command.tools.empty()) each.value = command.tools + ":" + each.value;
  variables.insert(variables.end(), command.variables.begin(), command.variables.end());
  for (const Variable& each : variables) run.environment.push_back(each.name + "=" + each.value);
  return run;
}

LongEnd Deployer::run_program(const Command& command, std::string* output, Sink& sink) {
  const std::optional<LongRun> run = prepared(command, sink);
  if (!run) return {LongEnd::How::NotStarted, ENOENT, 0};
  LongEnd end;
  if (output != nullptr) {
    KeptOutput kept(*output);
    end = world_.programs.run(*run, kept);
  } else {
    ShownOutput shown(settings_.secrets, world_.dialogue, [&] {
      constexpr int kParts = 4;  // of the lock's time
      Sink unsaid;               // a lost lock is reported after the program
      if (world_.clock.seconds() - renewed_ < options_.lock_seconds / kParts) return;
      renewed_ = world_.clock.seconds();
      static_cast<void>(lock_.renew(self(), subject(), unsaid));
    });
    end = world_.programs.run(*run, shown);
    shown.finish();
  }
  programs_.close();
  if (end.signal != 0) signal_ = end.signal;
  return end;
}

Outcome Deployer::report_end(const Command& command, const LongEnd& end, Sink& sink) {
  if (end.succeeded()) return Outcome::Done;
  if (signal_ != 0) return Outcome::Interrupted;
  if (end.how == LongEnd::How::NotStarted && end.code == ENOENT && sink.failed()) return Outcome::Failed;
  const std::string first = command.arguments.empty() ? "" : " " + command.arguments.front();
  sink.report(diag::deployment_program_failed, Span(), name_of(command.program) + first, describe(end));
  return Outcome::Failed;
}

Outcome Deployer::run_commands(Step step, Sink& sink) {
  if (!check_folder(sink)) return Outcome::Failed;
  for (const Command& command : commands_of(step, settings_, paths_)) {
    const LongEnd end = run_program(command, nullptr, sink);
    if (step == Step::Plan) has_plan_changes_ = !end.succeeded();
    const bool has_plan = step == Step::Plan && end.how == LongEnd::How::Exited && end.code == kPlanHasChanges;
    const Outcome outcome = has_plan ? Outcome::Done : report_end(command, end, sink);
    if (outcome != Outcome::Done) return outcome;
  }
  say(step, "done");
  return Outcome::Done;
}

// Everything that can be known before the first change.
Outcome Deployer::preflight(Sink& sink) {
  const bool has_folder = check_folder(sink);
  if (!finds_programs(sink) || !has_folder) return signal_ != 0 ? Outcome::Interrupted : Outcome::Failed;
  if (options_.choice.only != Step::Plan && !options_.yes && !world_.dialogue.can_ask()) {
    const std::vector<Step> all = remaining();
    if (std::find(all.begin(), all.end(), Step::Apply) != all.end()) {
      sink.report(diag::deployment_unconfirmed, Span()).advise("pass `--yes`; `--step opentofu-plan` only plans");
      return Outcome::Failed;
    }
  }
  return Outcome::Done;
}

bool Deployer::finds_programs(Sink& sink) {
  std::vector<std::string> names;
  for (const Step step : remaining()) {
    for (std::string& name : programs_of(step))
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  bool finds_all = true;
  for (const std::string& name : names) {
    std::string version;
    const Command command = version_of(name);
    const LongEnd end = run_program(command, &version, sink);
    if (report_end(command, end, sink) != Outcome::Done) {
      finds_all = false;
      continue;
    }
    say(Step::Preflight, fmt::format("{}: {}", world_.programs.find(name, place_.search_path),
                                     settings_.secrets.redact(version_line(version))));
  }
  return finds_all;
}

// A pull request can add links to the repository, so no part of the path below it may be one.
bool Deployer::check_folder(Sink& sink) {
  Dir repository;
  FileStat stat;
  IoError error = repository.open(world_.files, settings_.repository);
  if (!error) error = world_.files.stat(repository / settings_.folder, stat);
  if (!error && stat.type == FileType::Symlink) error = {ELOOP};
  if (!error && stat.type != FileType::Directory) error = {ENOTDIR};
  if (error) report_io_fault(sink, IoTask::Read, settings_.cluster_folder(), error);
  return !error;
}

Outcome Deployer::apply(Sink& sink) {
  if (!has_plan_changes_) {
    say(Step::Apply, "the infrastructure is up to date");
    return Outcome::Done;
  }
  if (!options_.yes && !world_.dialogue.agrees(fmt::format("apply this plan to {}?", settings_.shown_name()))) {
    signal_ = world_.programs.wait(0);  // Ctrl-C instead of an answer
    if (signal_ != 0) return Outcome::Interrupted;
    say(Step::Apply, "nothing was applied");
    return Outcome::Stopped;
  }
  const Outcome outcome = run_commands(Step::Apply, sink);
  if (outcome == Outcome::Done) static_cast<void>(world_.files.remove(paths_.plan));
  return outcome;
}

// The first kubeconfig that exists: a new one of the installer, or the one of an earlier run.
std::optional<std::string> Deployer::find_kubeconfig(std::string& shown, Sink& sink) {
  std::string text;
  Dir repository;
  const IoError closed = repository.open(world_.files, settings_.repository);
  for (const char* name : {"kubeconfig.yaml", "kubeconfig", "kube_config_cluster.yml"}) {
    shown = settings_.cluster_folder() + "/" + name;
    const std::string path = settings_.folder + "/" + name;
    const IoError error = closed ? closed : world_.files.read(repository / path, text, kLargestKubeconfig);
    if (!error) return text;
    if (error.code == ENOENT) continue;
    report_io_fault(sink, IoTask::Read, shown, error);
    return std::nullopt;
  }
  shown = settings_.kubeconfig;
  if (!world_.files.read(shown, text, kLargestKubeconfig)) return text;
  sink.report(diag::no_kubeconfig, Span(), settings_.shown_name());
  return std::nullopt;
}

Outcome Deployer::kubeconfig(Sink& sink) {
  std::string shown;
  const std::optional<std::string> text = find_kubeconfig(shown, sink);
  if (!text) return Outcome::Failed;
  OwnStage own;
  int servers = 0;
  const auto normalized =
      normalized_kubeconfig(own.sources.add(shown, *text), settings_.api_address, servers, own.stage);
  if (!normalized) {
    sink.report(diag::not_a_kubeconfig, Span(), shown);
    return Outcome::Failed;
  }
  const std::string folder = settings_.kubeconfig.substr(0, settings_.kubeconfig.rfind('/'));
  IoError error = world_.files.exists(folder) ? IoError{} : world_.kept.make_dirs(folder);
  if (!error) error = world_.kept.replace(settings_.kubeconfig, *normalized);
  if (error) {
    report_io_fault(sink, IoTask::Write, settings_.kubeconfig, error);
    return Outcome::Failed;
  }
  say(Step::Kubeconfig, fmt::format("{} from {}{}", settings_.kubeconfig, name_of(shown),
                                    servers == 0 ? "" : fmt::format(", with the API at {}", settings_.api_address)));
  return Outcome::Done;
}

// Empty: the cluster is ready. Otherwise what isn't.
std::string Deployer::unready_part(Sink& sink) {
  std::string api, nodes;
  const LongEnd asked = run_program(ask_api(settings_), &api, sink);
  const std::string answer = settings_.secrets.redact(trimmed(api).substr(0, trimmed(api).find('\n')));
  if (!asked.succeeded()) return answer.empty() ? "the API server doesn't answer" : answer;
  const LongEnd listed = run_program(ask_nodes(settings_), &nodes, sink);
  if (!listed.succeeded()) return "nodes can't be listed";
  std::size_t count = 0;
  std::vector<std::string> unready;
  for (std::string_view rest = nodes; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t sign = line.rfind('=');
    if (sign == std::string_view::npos) continue;
    ++count;
    if (line.substr(sign + 1) != "True") unready.emplace_back(line.substr(0, sign));
  }
  if (count == 0) return "there are no nodes";
  if (unready.empty()) return {};
  return fmt::format("{} of {} nodes aren't ready: {}", unready.size(), count, fmt::join(unready, ", "));
}

Outcome Deployer::readiness(Sink& sink) {
  const std::int64_t begin = world_.clock.seconds();
  for (std::string before;;) {
    const std::string unready = unready_part(sink);
    if (signal_ != 0) return Outcome::Interrupted;
    if (sink.failed()) return Outcome::Failed;
    const std::int64_t passed = world_.clock.seconds() - begin;
    if (unready.empty()) {
      say(Step::Readiness, fmt::format("ready after {} seconds", passed));
      return Outcome::Done;
    }
    if (passed >= options_.ready_seconds) {
      sink.report(diag::deployment_not_ready, Span(), settings_.shown_name(), passed, unready);
      return Outcome::Failed;
    }
    if (unready != before) say(Step::Readiness, unready);
    before = unready;
    if (!confirm_lock(sink)) return Outcome::Failed;
    signal_ = world_.programs.wait(std::min(options_.ready_interval, options_.ready_seconds - passed));
    if (signal_ != 0) return Outcome::Interrupted;
  }
}

}  // namespace capwright::deploy
