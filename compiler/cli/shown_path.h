// What a file that the user names is called: one file has one name, however it was typed.
#pragma once
#include <string>

#include "pipeline/config.h"

namespace capwright::cli {

// A path as it was typed, relative or absolute: relative to the root if it lies in the repository, whichever links and
// `..` lead there. Another absolute path stays one.
std::string shown_path(const Workspace& workspace, const std::string& typed);

}  // namespace capwright::cli
