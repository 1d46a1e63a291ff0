// Commands that read Git objects run in the executable that can.
#include "cli/hand_over.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/console.h"
#include "diag/catalog.h"
#include "source/file_system.h"

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

}  // namespace

bool needs_git(const Command& command) { return std::visit(NeedsGit(), command); }

int hand_over(char** argv) {
  std::error_code failed;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string program = (own.parent_path() / kProgram).string();
  if (!failed) ::execv(program.c_str(), argv);
  const int error = failed ? failed.value() : errno;

  const CommonOptions common;
  Console console(common);
  Sink sink;
  sink.report(diag::git_program_missing, Span())
      .note(fmt::format("`{}`: {}", program, describe(IoError{error})))
      .note("it brings libgit2 for commits and remotes, SQLite and libpq for the audit, libcurl for the API of a Gitea")
      .advise(
          "install it there, from the same build; the packages besides are `libgit2-1.5`, `libpq5`, `libsqlite3-0` and "
          "`libcurl4`");
  const SourceSet none;
  report::Findings findings;
  findings.add(sink.diagnostics(), none, nullptr, "");
  console.show(findings);
  return console.flush() ? exit_code(findings) : kUsageError;
}

}  // namespace capwright::cli
