// Needs no repository, so programs without libgit2 have this file, too.
#include "git/repository.h"

namespace capwright::git {

std::string_view Head::branch() const {
  constexpr std::string_view kBranches = "refs/heads/";
  return std::string_view(ref).substr(ref.starts_with(kBranches) ? kBranches.size() : 0);
}

}  // namespace capwright::git
