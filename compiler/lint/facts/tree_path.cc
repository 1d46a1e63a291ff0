// A path with `..` may be anywhere, and one with `$` or `{{` is completed later.
#include "lint/facts/tree_path.h"

#include <algorithm>

namespace capwright::lint {

std::optional<TreePath> tree_path(std::string_view path, std::string_view tree_in_git) {
  constexpr std::string_view kFolder = "clusters";
  while (path.starts_with("./") || path.starts_with('/')) path.remove_prefix(path.starts_with('/') ? 1 : 2);
  while (path.ends_with('/')) path.remove_suffix(1);
  for (const std::string_view unknown : {"..", "$", "{{"}) {
    if (path.find(unknown) != std::string_view::npos) return std::nullopt;
  }
  if (!path.starts_with(tree_in_git)) return std::nullopt;
  path.remove_prefix(tree_in_git.size());
  if (path == kFolder) return TreePath();
  const std::size_t slash = path.find('/');
  if (path.substr(0, slash) != kFolder) return std::nullopt;
  path.remove_prefix(slash + 1);
  const std::size_t end = std::min(path.find('/'), path.size());
  return TreePath{path.substr(0, end), path.substr(std::min(end + 1, path.size()))};
}

}  // namespace capwright::lint
