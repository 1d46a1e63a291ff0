// Switches from `capwright`, a static binary without libgit2, to `capwright-git` beside it, the same program with
// libgit2. See docs/architecture.md.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace capwright::cli {

// Whether a command opens a repository.
struct GitUse {
  enum class Need : std::uint8_t { Never, IfThere, Always };
  Need need = Need::Never;
  std::vector<std::string> folders;  // IfThere: a repository that contains one of them is used
};

// The folders whose repository a command may use: the working directory, the folder of `--config`, that of `--output`.
std::vector<std::string> folders_with_git(const std::optional<std::string>& config,
                                          const std::optional<std::string>& output);

// Executes `capwright-git` with the same arguments if this program lacks libgit2 and the command has a use for it. Call
// it before anything is read or written. Only returns if this program goes on, or with the exit code, after an error
// message.
std::optional<int> hand_over(const GitUse& use, char** argv);

}  // namespace capwright::cli
