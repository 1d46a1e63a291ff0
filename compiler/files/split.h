// Cuts rendered text into files at its `# FILE: path` lines.
#pragma once
#include <string_view>

#include "files/file_set.h"
#include "value/stage.h"

namespace capwright {

// A line that starts with `# FILE: ` begins a file whose text ends at the next such line. It counts only if these bytes
// are template text: inside a value they are an error (F003), never a file. The path after it may contain values. Every
// other mistake has its own F code, reported at the value that made the bytes, or otherwise at the template text; files
// with errors are dropped. `trace` adds the calls that led to the place.
FileSet split_files(const MappedText& rendered, std::string_view cluster, Stage& stage,
                    const RenderTrace* trace = nullptr);

}  // namespace capwright
