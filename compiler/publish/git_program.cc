// Removes Git's environment variables: the command may itself run in a hook of another repository.
#include "publish/git_program.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "diag/catalog/publish.h"

namespace capwright::publish {
namespace {

constexpr std::size_t kMostLines = 5;  // of its output in a message
constexpr std::uint64_t kMostOutput = 1u << 20;
constexpr std::uint32_t kMostMilliseconds = 600'000;  // hooks may run tests

}  // namespace

bool run_git(git::Repository& repository, Programs& programs, std::vector<std::string> arguments,
             const std::string& shown, Sink& sink) {
  ProgramRun run;
  run.program = "git";
  run.arguments = {"-c", "core.fsmonitor=false"};  // a program from the clone's configuration
  run.arguments.insert(run.arguments.end(), std::make_move_iterator(arguments.begin()),
                       std::make_move_iterator(arguments.end()));
  run.folder = repository.root();
  run.unset = {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"};
  run.most_output = kMostOutput;
  run.most_milliseconds = kMostMilliseconds;
  const ProgramEnd end = programs.run(run);
  if (end.succeeded()) return true;
  Diagnostic& fault = sink.report(diag::git_program_failed, Span(), shown, describe(end, run));
  for (std::string_view words = end.errors; !words.empty() && fault.notes.size() < kMostLines;) {
    const std::string_view line = words.substr(0, words.find('\n'));
    if (!line.empty()) fault.note(fmt::format("it says: {}", line));
    words.remove_prefix(std::min(words.size(), line.size() + 1));
  }
  return false;
}

bool find_git(Programs& programs, const char* why, Sink& sink) {
  ProgramRun run;
  run.program = "git";
  run.arguments = {"--version"};
  run.most_output = kMostOutput;
  run.most_milliseconds = kMostMilliseconds;
  const ProgramEnd end = programs.run(run);
  if (end.succeeded()) return true;
  sink.report(diag::git_program_failed, Span(), "--version", describe(end, run))
      .note(fmt::format("`{}` needs the program `git`", why));
  return false;
}

}  // namespace capwright::publish
