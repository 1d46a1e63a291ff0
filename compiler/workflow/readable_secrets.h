// Secrets in files that were not rendered in this run, such as an older tree.
#pragma once
#include <vector>

#include "diff/side.h"

namespace capwright::workflow {

// The places that `lint` redacts in the parsed files of the side; their `file` is SideFile::source. Empty for a render,
// which knows the bytes of its secrets.
std::vector<Span> readable_secrets(const diff::Side& side);

}  // namespace capwright::workflow
