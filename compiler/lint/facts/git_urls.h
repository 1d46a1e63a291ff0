// URLs of repositories, as Argo CD compares them.
#pragma once
#include <string>
#include <string_view>

namespace capwright::lint {

// In lower case, without `.git` and slashes at the end, and with `ssh://` and `/` for `git@host:path`.
std::string normal_git_url(std::string_view url);

}  // namespace capwright::lint
