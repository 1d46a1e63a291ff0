// Argo CD: util/git NormalizeGitURL.
#include "lint/facts/git_urls.h"

#include <algorithm>

#include "text/trim.h"

namespace capwright::lint {

std::string normal_git_url(std::string_view url) {
  std::string normal(trimmed(url));
  std::transform(normal.begin(), normal.end(), normal.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  while (normal.ends_with('/')) normal.pop_back();
  if (normal.ends_with(".git")) normal.resize(normal.size() - 4);
  const std::size_t at = normal.find('@'), colon = normal.find(':');
  const bool is_short = normal.find("://") == std::string::npos && at != std::string::npos && colon > at;
  if (is_short && colon != std::string::npos) normal[colon] = '/';
  if (normal.starts_with("ssh://")) normal.erase(0, std::string_view("ssh://").size());
  return normal;
}

}  // namespace capwright::lint
