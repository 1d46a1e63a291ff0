// Rendered files as one YAML stream, for commands that print manifests.
#pragma once
#include <string>
#include <string_view>

#include "files/file_set.h"

namespace capwright::workflow {

// False for chart values.
bool is_manifest(std::string_view path);

// A file with `---` and a comment with its path.
std::string as_stream(const RenderedFile& file);

}  // namespace capwright::workflow
