// Writes the results of fixes to files.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "source/file_system.h"

namespace capwright::workflow {

struct FixedFile {
  std::string shown, opened;  // paths
  std::string_view before;    // the text that was read and fixed
  std::string_view after;
};

// Writes all files, or none if there is not enough space or if one has changed since it was read. Keeps permissions.
// Stops at a file that can't be replaced, such as an immutable one: the files before it are fixed. Returns a
// human-readable error; empty if all were written.
std::string write_fixed_files(FileSystem& fs, std::span<const FixedFile> files);

}  // namespace capwright::workflow
