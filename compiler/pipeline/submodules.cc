// A checkout without `--recurse-submodules` has an empty folder for a submodule, so only `.gitmodules` tells.
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "diag/catalog/tree.h"
#include "pipeline/removals.h"
#include "pipeline/repository_bounds.h"
#include "text/kubectl.h"
#include "text/trim.h"

namespace capwright {
namespace {

constexpr std::uint64_t kLargestFile = 1u << 20;  // bytes

// The value of `path = …`, without quotes; empty for other lines.
std::string_view path_in(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("path")) return {};
  line = trimmed(line.substr(std::string_view("path").size()));
  if (!line.starts_with('=')) return {};
  line = trimmed(line.substr(1));
  if (line.size() > 1 && line.front() == '"' && line.back() == '"') line = line.substr(1, line.size() - 2);
  while (line.ends_with('/')) line.remove_suffix(1);
  return line;
}

}  // namespace

void report_submodules(FileSystem& fs, const std::string& output, Sink& sink) {
  const std::string below = folder_in_git(fs, output.empty() ? "." : output);
  std::string path = output.empty() ? "." : output, text;
  for (const char c : below) path += c == '/' ? "/.." : "";
  if (fs.read(path + "/.gitmodules", text, kLargestFile)) return;
  const std::string clusters = below + "clusters/";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string submodule(path_in(std::string_view(text).substr(at, end - at)));
    at = end + 1;
    const bool is_inside = (submodule + "/").starts_with(clusters) || clusters.starts_with(submodule + "/");
    if (submodule.empty() || !is_inside) continue;
    sink.report(diag::submodule_in_tree, Span(), submodule)
        .advise(fmt::format("remove it with `git rm {}`, and commit its files themselves", shell_word(submodule)));
  }
}

}  // namespace capwright
