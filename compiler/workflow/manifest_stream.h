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

// The objects of a file, as Argo CD reads them in a folder: documents with `apiVersion` and `kind`.
struct Objects {
  std::string stream;         // as as_stream(); empty: the file has none
  std::string_view left_out;  // why documents are left out; empty: none is
  // The key that an object lacks: a document with `metadata`. Argo CD would delete the object if it were left out.
  std::string_view lacks;
};
Objects objects_of(const RenderedFile& file);

}  // namespace capwright::workflow
