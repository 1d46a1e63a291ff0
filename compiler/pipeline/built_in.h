// Files that are built into the binary and that the program depends on.
#pragma once
#include <string_view>

namespace capwright {

// The text of `schemas/…` or `templates/…`. A missing file is a bug.
std::string_view built_in_text(std::string_view path);

}  // namespace capwright
