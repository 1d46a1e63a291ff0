// Each head has a comment `# FILE:`, so that a stream can be split into the same files again.
#include "workflow/manifest_stream.h"

#include <fmt/format.h>

namespace capwright::workflow {

bool is_manifest(std::string_view path) { return !path.ends_with("/values.yaml"); }

std::string as_stream(const RenderedFile& file) {
  const std::string& text = file.body.text();
  return fmt::format("{}# FILE: {}\n{}{}", text.starts_with("---") ? "" : "---\n", file.path, text,
                     text.ends_with('\n') ? "" : "\n");
}

}  // namespace capwright::workflow
