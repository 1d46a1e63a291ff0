// The last line is that of the last byte that isn't blank: the place of a block map ends at the next key.
#include "source/line_words.h"

#include <algorithm>
#include <fmt/format.h>

namespace capwright {

std::string lines_of(const SourceSet& sources, Span span) {
  const std::string_view text = sources.text(span.file);
  const std::string_view whole = text.substr(span.begin, span.end - span.begin);
  const std::size_t last = whole.find_last_not_of(" \t\r\n");
  const auto end = static_cast<std::uint32_t>(span.begin + (last == std::string_view::npos ? 0 : last));
  const std::uint32_t from = sources.line_col(span.file, span.begin).line, to = sources.line_col(span.file, end).line;
  return from == to ? fmt::format("line {}", from) : fmt::format("lines {} to {}", from, to);
}

}  // namespace capwright
