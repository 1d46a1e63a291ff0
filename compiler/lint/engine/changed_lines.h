// Lines that were added or changed since a revision, as reported by `git diff`: findings on other lines are old.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/text_diff.h"

namespace capwright::lint {

class ChangedLines {
 public:
  // Adds the output of `git diff --unified=0 --no-color`. Returns false for other texts.
  bool add_diff(std::string_view diff);
  // All lines of a file count as changed.
  void add_file(std::string path) { files_.insert(std::move(path)); }

  // Whether any line from `first` to `last` (1-based) is new. Paths are as in Git.
  bool has(std::string_view path, std::uint32_t first, std::uint32_t last) const;
  // The same for a text that differs from the file on disk that Git compared, such as another render or standard input:
  // `since_disk` is the result of line_changes() for the two texts.
  bool has(std::string_view path, std::uint32_t first, std::uint32_t last,
           const std::vector<LineChange>& since_disk) const;

 private:
  using Lines = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // first and last line, ascending

  std::map<std::string, Lines, std::less<>> lines_;
  std::set<std::string, std::less<>> files_;
};

}  // namespace capwright::lint
