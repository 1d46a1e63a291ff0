// Writes output to a path that the user gave: a file, a pipe or a device, through links.
#pragma once
#include <string>
#include <string_view>

#include "source/file_system.h"

namespace capwright {

// Replaces a regular or missing file at the end of its links as replace_file() does. Anything else is written into and
// keeps its type; blocks until a pipe has a reader. `/dev/stdout` and `/dev/fd/3` are descriptors of this process.
// EISDIR for a directory.
IoError save_file(std::string_view path, std::string_view bytes);

// Follows links in the last part of `path` to their end; the final target need not exist. ELOOP for a cycle.
IoError follow_links(std::string& path);

}  // namespace capwright
