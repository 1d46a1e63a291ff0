// A finding is at the first line that differs.
#include "workflow/stale_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "diag/catalog/repository.h"
#include "text/kubectl.h"

namespace capwright::workflow {
namespace {

// The first line of the file on disk that a unified diff changes; 1 if the diff is empty.
std::uint32_t first_changed_line(std::string_view diff) {
  const std::size_t hunk = diff.find("@@ -");
  if (hunk == std::string_view::npos) return 1;
  std::uint32_t line = 0;
  for (std::size_t i = hunk + 4; i < diff.size() && diff[i] >= '0' && diff[i] <= '9'; ++i)
    line = line * 10 + static_cast<std::uint32_t>(diff[i] - '0');
  for (std::size_t at = diff.find('\n', hunk); at + 1 < diff.size() && diff[at + 1] == ' '; ++line)
    at = diff.find('\n', at + 1);
  return std::max<std::uint32_t>(line, 1);
}

// Whether a merge left its markers in the file on disk.
bool has_conflict(const TreeDifference& difference) {
  return difference.diff.find("\n-<<<<<<< ") != std::string::npos &&
         difference.diff.find("\n->>>>>>> ") != std::string::npos;
}

std::string_view stale_words(const TreeDifference& difference) {
  if (has_conflict(difference)) return "has the markers of a merge conflict";
  if (difference.by_hand) return "was edited since it was rendered";
  switch (difference.kind) {
    case TreeDifference::Kind::Missing: return "is missing";
    case TreeDifference::Kind::Changed: return "is out of date";
    case TreeDifference::Kind::Extra: return "is no longer rendered";
  }
  return "";
}

}  // namespace

void StaleFiles::report(const TreeDifference& difference, const std::string& folder, const std::string& output) {
  const std::string path = folder + difference.path;
  const std::string clusters = (std::filesystem::path(output) / "clusters").lexically_normal().string();
  const std::string added = difference.path.starts_with("clusters/") ? shell_word(clusters) : "-A";
  const FileId file = sources_.add(path, "", first_changed_line(difference.diff));
  std::string edit = fmt::format("run `capwright render`, and commit the result: `git add {}`", added);
  if (has_conflict(difference)) edit = "run `capwright render --force`, which writes what the values give";
  else if (difference.by_hand) edit = "move the change into values or templates, then run `capwright render --force`";
  sink_.report(diag::stale_file, {file, 0, 0}, path, stale_words(difference)).advise(std::move(edit));
}

}  // namespace capwright::workflow
