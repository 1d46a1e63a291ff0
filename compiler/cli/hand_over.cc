// Runs commands that read Git objects in the executable with libgit2.
#include "cli/hand_over.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>

#include "cli/console.h"
#include "cli/git_history.h"
#include "diag/catalog/git.h"
#include "source/file_system.h"
#include "source/real_fs.h"

namespace capwright::cli {
namespace {

constexpr const char* kProgram = "capwright-git";

struct NeedsGit {
  template <class Options>
  bool operator()(const Options& options) const {
    if constexpr (requires { options.needs_git(); }) return options.needs_git();
    else return false;
  }
};

struct GainsFromGit {
  template <class Options>
  bool operator()(const Options& options) const {
    if constexpr (requires { options.gains_from_git(); }) {
      RealFs fs;
      const auto has_repository = [&](const std::string& folder) { return inside_work_tree(fs, folder); };
      const std::optional<std::string>& config = options.common.config;
      return options.gains_from_git() &&
             (has_repository(".") || (options.output && has_repository(*options.output)) ||
              (config && has_repository(std::filesystem::path(*config).parent_path().string())));
    } else {
      return false;
    }
  }
};

std::string program_with_git(std::error_code& failed) {
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", failed);
  return (own.parent_path() / kProgram).string();
}

}  // namespace

bool needs_git(const Command& command) { return std::visit(NeedsGit(), command); }

bool gains_from_git(const Command& command) { return std::visit(GainsFromGit(), command); }

void try_hand_over(char** argv) {
  std::error_code failed;
  const std::string program = program_with_git(failed);
  if (!failed) ::execv(program.c_str(), argv);
}

int hand_over(char** argv) {
  std::error_code failed;
  const std::string program = program_with_git(failed);
  if (!failed) ::execv(program.c_str(), argv);
  const int error = failed ? failed.value() : errno;

  const CommonOptions common;
  Console console(common);
  Sink sink;
  sink.report(diag::git_program_missing, Span())
      .note(fmt::format("`{}`: {}", program, describe(IoError{error})))
      .note("it links libgit2 for commits and remotes, SQLite and libpq for the audit, and libcurl for Gitea's API")
      .advise(
          "install it there from the same build, with the packages `libgit2-1.5`, `libpq5`, `libsqlite3-0` and "
          "`libcurl4`");
  const SourceSet none;
  report::Findings findings;
  findings.add(sink.diagnostics(), none, nullptr, "");
  console.show(findings);
  return console.flush() ? exit_code(findings) : kUsageError;
}

}  // namespace capwright::cli
