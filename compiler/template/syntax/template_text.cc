// Normalizes line breaks, and maps offsets back.
#include "template/syntax/template_text.h"

#include <algorithm>
#include <vector>

namespace capwright::jinja {

TemplateText::TemplateText(FileId file, std::string_view source, bool keep_trailing_newline, Arena& arena)
    : file_(file), text_(source) {
  if (source.find('\r') != std::string_view::npos) {
    char* out = arena.make_array<char>(source.size());
    std::size_t size = 0;
    std::vector<std::uint32_t> joined;
    for (std::size_t i = 0; i < source.size(); ++i) {
      const bool pair = source[i] == '\r' && i + 1 < source.size() && source[i + 1] == '\n';
      if (pair) {
        joined.push_back(static_cast<std::uint32_t>(size));
        ++i;
      }
      out[size++] = source[i] == '\r' ? '\n' : source[i];
    }
    text_ = {out, size};
    joined_ = arena.copy(joined);
  }
  if (!keep_trailing_newline && text_.ends_with('\n')) text_.remove_suffix(1);
}

std::uint32_t TemplateText::original(std::size_t offset) const {
  const auto before = std::lower_bound(joined_.begin(), joined_.end(), offset) - joined_.begin();
  return static_cast<std::uint32_t>(offset + static_cast<std::size_t>(before));
}

}  // namespace capwright::jinja
