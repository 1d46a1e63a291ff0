// A template's text for the lexer: every line break is "
// ", and a final one is dropped unless options keep it. Offsets into it map to exact places in the source file.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "source/source.h"

namespace capwright::jinja {

class TemplateText {
 public:
  // `source` must outlive the text, which is a view of it if it has no carriage returns.
  TemplateText(FileId file, std::string_view source, bool keep_trailing_newline, Arena& arena);

  std::string_view text() const { return text_; }
  Span span(std::size_t begin, std::size_t end) const { return {file_, original(begin), original(end)}; }

 private:
  std::uint32_t original(std::size_t offset) const;

  FileId file_;
  std::string_view text_;
  std::span<const std::uint32_t> joined_;  // offsets in text_ of line breaks that take two bytes in the source
};

}  // namespace capwright::jinja
