// Argo CD v3.5 applicationset/generators/git.go: filterApps() calls Go's path.Match. GetFiles() lists files by a
// pathspec of Git, or, with `applicationsetcontroller.enable.new.git.file.globbing`, by doublestar.
#include "lint/facts/git_patterns.h"

#include <string>

#include "lint/facts/applications.h"
#include "text/glob.h"

namespace capwright::lint {
namespace {

// Every run of stars is one star.
std::string with_single_stars(std::string_view pattern) {
  std::string text;
  for (const char c : pattern) {
    if (c != '*' || !text.ends_with('*')) text += c;
  }
  return text;
}

std::string without_any_folders(std::string_view pattern) {
  constexpr std::string_view kAnyFolders = "**/";
  std::string text(pattern);
  for (std::size_t at = text.find(kAnyFolders); at != std::string::npos; at = text.find(kAnyFolders, at))
    text.erase(at, kAnyFolders.size());
  return text;
}

}  // namespace

bool is_plain_path(std::string_view pattern) { return pattern.find_first_of("*?[{\\") == std::string_view::npos; }

std::optional<bool> matches_folder(std::string_view pattern, std::string_view folder) {
  if (is_generated(pattern) || pattern.find_first_of("[\\") != std::string_view::npos) return std::nullopt;
  return text_glob_matches(with_single_stars(pattern), folder, '/');
}

bool may_match_file(std::string_view pattern, std::string_view file) {
  if (is_generated(pattern) || pattern.find_first_of("[{\\") != std::string_view::npos) return true;
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  while (pattern.starts_with('/')) pattern.remove_prefix(1);
  // To Git, a star also matches slashes, and the name of a folder all of its files. To doublestar, `**/` is any number
  // of folders, also none.
  return text_glob_matches(pattern, file) || text_glob_matches(without_any_folders(pattern), file) ||
         (file.starts_with(pattern) && file.substr(pattern.size()).starts_with('/'));
}

}  // namespace capwright::lint
