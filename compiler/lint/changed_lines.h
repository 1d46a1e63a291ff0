// Lines that were added or changed since a revision, as `git diff` tells them: findings on other lines are old.
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
  // Adds what `git diff --unified=0 --no-color` printed. False when that is something else.
  bool add_diff(std::string_view diff);
  // All lines of a file count as changed.
  void add_file(std::string path) { files_.insert(std::move(path)); }

  // Whether one of the lines from `first` to `last`, counted from 1, is new. Paths are as Git has them.
  bool has(std::string_view path, std::uint32_t first, std::uint32_t last) const;
  // The same where the file on disk, which Git has compared, is not what was looked at (another render, standard
  // input): `since_disk` is what line_changes() says of both.
  bool has(std::string_view path, std::uint32_t first, std::uint32_t last,
           const std::vector<LineChange>& since_disk) const;

 private:
  using Lines = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // first and last, ascending

  std::map<std::string, Lines, std::less<>> lines_;
  std::set<std::string, std::less<>> files_;
};

}  // namespace capwright::lint
