// Files that are built into the binary and that the program relies on.
#pragma once
#include <string_view>

namespace capwright {

// The text of `schemas/…` or `templates/…`; that it is missing would be a bug of ours.
std::string_view built_in_text(std::string_view path);

}  // namespace capwright
