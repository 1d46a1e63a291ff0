// Changes below an open directory that pass through no symbolic link, whatever has happened since it was looked at.
// Paths are relative to it, without `..`.
#pragma once
#include <string_view>
#include <utility>

#include "source/file_system.h"

namespace capwright {

// The folder, `.` for none, and the name of what is in it.
std::pair<std::string_view, std::string_view> split_path(std::string_view path);

// What was to be removed or moved is not there any more.
bool is_done_before(IoError error);

// A folder, made where it is missing, with those above it.
IoError open_made_folder(FileSystem& fs, const Dir& directory, std::string_view folder, Dir& opened);

// No error when there is none, or a folder in its place.
IoError remove_file(FileSystem& fs, const Dir& directory, std::string_view path);

// A folder that held nothing but what was removed goes too, and so on upwards.
void remove_empty_folders(FileSystem& fs, const Dir& directory, std::string_view folder);

}  // namespace capwright
