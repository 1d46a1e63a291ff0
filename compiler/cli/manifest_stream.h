// Rendered files as one YAML stream, for commands that print manifests.
#pragma once
#include <string>
#include <string_view>

#include "files/file_set.h"

namespace capwright::cli {

// Values of charts are none.
bool is_manifest(std::string_view path);

// A file with its `---` and a comment that says which it is.
std::string as_stream(const RenderedFile& file);

}  // namespace capwright::cli
