// A rendered file for storage: without bytes of secret values.
#pragma once
#include <string>

#include "files/file_set.h"

namespace capwright {

// Its text with `<secret, 44 B>` in place of each run of such bytes.
std::string without_secrets(const RenderedFile& file);

}  // namespace capwright
