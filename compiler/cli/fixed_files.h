// Writing what fixes have made of files.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "source/file_system.h"

namespace capwright::cli {

struct FixedFile {
  std::string shown, opened;  // paths
  std::string_view before;    // what was read, and fixed
  std::string_view after;
};

// Writes all of them, or none when there is no room for one or it isn't any more what was read. Permissions stay. A
// file that can't be replaced, such as an immutable one, ends it: those before it are fixed. What is wrong, for people;
// empty when all is done.
std::string write_fixed_files(FileSystem& fs, std::span<const FixedFile> files);

}  // namespace capwright::cli
