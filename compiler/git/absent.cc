// Replaces libgit2 in the program without it: commands that need a repository are handed over to the other program
// first.
#include "base/check.h"
#include "git/repository.h"

namespace capwright::git {

bool has_libgit2() { return false; }

std::unique_ptr<Repository> open_repository(const std::string&, Sink&) {
  CW_CHECK(false, "a command that reads Git objects runs in a program without libgit2");
  return nullptr;
}

}  // namespace capwright::git
