// Argo CD v3.5 reposerver/repository: findManifests() matches patterns with gobwas/glob.
#include "lint/facts/source_files.h"

#include <algorithm>
#include <fmt/format.h>

#include "text/glob.h"

namespace capwright::lint {
namespace {

// As Argo CD matches `directory.include` and `exclude`: `*` matches `/`, too, and `{a,b}` is a or b. Several of
// these in a long pattern would take exponential time, so only one is supported.
bool matches_pattern(std::string_view pattern, std::string_view path) {
  const std::size_t open = pattern.find('{'), close = pattern.find('}', std::min(open, pattern.size()));
  constexpr std::size_t kLongest = 128;
  if (close == std::string_view::npos || pattern.size() > kLongest) return text_glob_matches(pattern, path);
  for (std::size_t at = open + 1; at <= close;) {
    const std::size_t end = std::min(pattern.find(',', at), close);
    const std::string one =
        fmt::format("{}{}{}", pattern.substr(0, open), pattern.substr(at, end - at), pattern.substr(close + 1));
    if (text_glob_matches(one, path)) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::optional<std::string_view> path_below(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (folder.starts_with("./")) folder.remove_prefix(2);
  if (folder.empty() || folder == ".") return path;
  if (!path.starts_with(folder) || !path.substr(folder.size()).starts_with('/')) return std::nullopt;
  return path.substr(folder.size() + 1);
}

bool lets_in(const ChartSource& source, std::string_view file) {
  const Node directory = source.node["directory"];
  const std::string_view excluded = directory["exclude"].text(), included = directory["include"].text();
  const bool is_known = excluded.find_first_of("[\\") == std::string_view::npos;
  if (!excluded.empty() && !is_generated(excluded) && (!is_known || matches_pattern(excluded, file))) return false;
  return included.empty() || is_generated(included) || matches_pattern(included, file);
}

}  // namespace capwright::lint
