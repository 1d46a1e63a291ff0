// Paths of a repository, as reports show them and as files are opened.
#pragma once
#include <string>
#include <string_view>

namespace capwright {

// The location of a repository. All paths of a run are shown relative to `root`; `prefix` is prepended to them for file
// access ("" when the process runs in the root, "../../" two folders below).
struct Workspace {
  std::string prefix;
  std::string below;  // the working directory relative to the root: "", "values/lab/" or "../elsewhere/"

  std::string io_path(std::string_view shown) const;
  // Converts a path that the user typed, relative to the working directory, to the shown path relative to the root.
  std::string shown_path(std::string_view typed) const;
};

}  // namespace capwright
