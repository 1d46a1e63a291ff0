// Changes below an open directory that never pass through a symbolic link, even if one is added concurrently. Paths are
// relative to it, without `..`.
#pragma once
#include <string_view>
#include <utility>

#include "source/file_system.h"

namespace capwright {

// The directory (`.` for none) and the last name of a path.
std::pair<std::string_view, std::string_view> split_path(std::string_view path);

// Whether the error means that the file to remove or move doesn't exist any more.
bool is_done_before(IoError error);

// Opens a directory; creates it and its parents if they are missing.
IoError open_made_folder(FileSystem& fs, const Dir& directory, std::string_view folder, Dir& opened);

// Succeeds if the file doesn't exist, or if a directory has its name.
IoError remove_file(FileSystem& fs, const Dir& directory, std::string_view path);

// Removes the directory if it is empty, and then its empty parents.
void remove_empty_folders(FileSystem& fs, const Dir& directory, std::string_view folder);

}  // namespace capwright
