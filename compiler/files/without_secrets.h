// A rendered file as it may be kept or recorded: no byte that a secret value made.
#pragma once
#include <string>

#include "files/file_set.h"

namespace capwright {

// Its text with `<secret, 44 B>` in the place of each run of such bytes.
std::string without_secrets(const RenderedFile& file);

}  // namespace capwright
