// Runs commands that read Git objects in the executable with libgit2.
#include "cli/hand_over.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <system_error>
#include <unistd.h>

#include "cli/console.h"
#include "diag/catalog/git.h"
#include "git/repository.h"
#include "source/file_system.h"
#include "source/real_fs.h"
#include "workflow/git_history.h"

namespace capwright::cli {
namespace {

constexpr const char* kProgram = "capwright-git";

std::string program_with_git(std::error_code& failed) {
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", failed);
  return (own.parent_path() / kProgram).string();
}

int show_missing(const std::string& program, int error) {
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
  findings.add(sink.diagnostics(), none, {}, "");
  console.show(findings);
  return console.flush() ? exit_code(findings) : kUsageError;
}

}  // namespace

std::vector<std::string> folders_with_git(const std::optional<std::string>& config,
                                          const std::optional<std::string>& output) {
  std::vector<std::string> folders{"."};
  if (output) folders.push_back(*output);
  if (config) folders.push_back(std::filesystem::path(*config).parent_path().string());
  return folders;
}

std::optional<int> hand_over(const GitUse& use, char** argv) {
  RealFs fs;
  const auto has_repository = [&](const std::string& folder) { return workflow::inside_work_tree(fs, folder); };
  const bool is_useful =
      use.need == GitUse::Need::Always ||
      (use.need == GitUse::Need::IfThere && std::any_of(use.folders.begin(), use.folders.end(), has_repository));
  if (!is_useful || git::has_libgit2()) return std::nullopt;
  std::error_code failed;
  const std::string program = program_with_git(failed);
  if (!failed) ::execv(program.c_str(), argv);
  const int error = failed ? failed.value() : errno;
  return use.need == GitUse::Need::Always ? std::optional(show_missing(program, error)) : std::nullopt;
}

}  // namespace capwright::cli
