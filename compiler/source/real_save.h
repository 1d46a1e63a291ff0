// Writing what a user asked for to where the user says: a file, a pipe or a device, through links.
#pragma once
#include <string>
#include <string_view>

#include "source/file_system.h"

namespace capwright {

// A regular file, or one that isn't there yet, becomes old or new as by replace_file(), at the end of the links that
// lead to it. Whatever else has the name is written into and stays what it is; a pipe without a reader is waited for.
// `/dev/stdout` and `/dev/fd/3` are the descriptors that this process has. EISDIR for a directory.
IoError save_file(std::string_view path, std::string_view bytes);

// `path` becomes that of what it leads to, if its last part is a link, however many links that takes; there may be
// nothing yet. ELOOP where links never end.
IoError follow_links(std::string& path);

}  // namespace capwright
