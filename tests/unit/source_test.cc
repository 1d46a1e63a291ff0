// Places in texts of any length are counted from marks, with the same result as from the start.
#include "source/source.h"

#include <catch2/catch.hpp>
#include <string>

namespace capwright {
namespace {

LineCol counted(std::string_view text, std::uint32_t offset, std::uint32_t first_line) {
  LineCol at{first_line, 1};
  for (const char c : text.substr(0, offset)) {
    if (c == '\n') at = {at.line + 1, 1};
    else if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++at.column;
  }
  return at;
}

TEST_CASE("lines and columns of long texts") {
  for (const char* piece : {"a: 1\n", "\xc3\xb6", "\n", "one line without an end", "\xe2\x82\xac\r\n0123456789"}) {
    std::string text;
    while (text.size() < 5000) text += piece;
    SourceSet sources;
    const FileId file = sources.add("a.yaml", text, 7);
    bool is_same = true;
    for (std::uint32_t offset = 0; offset < text.size() + 10; ++offset)
      is_same = is_same && sources.line_col(file, offset) == counted(text, offset, 7);
    INFO(piece);
    CHECK(is_same);
  }
}

TEST_CASE("lines and columns of short texts") {
  SourceSet sources;
  const FileId empty = sources.add("a.yaml", ""), marked = sources.add("b.yaml", std::string(1023, 'x') + "\ny");
  CHECK(sources.line_col(empty, 0) == LineCol{1, 1});
  CHECK(sources.line_col(empty, 9) == LineCol{1, 1});
  CHECK(sources.line_col(marked, 1023) == LineCol{1, 1024});
  CHECK(sources.line_col(marked, 1024) == LineCol{2, 1});
  CHECK(sources.line_col(marked, 1025) == LineCol{2, 2});
  CHECK(sources.line_col(FileId::None, 5) == LineCol{1, 1});
}

}  // namespace
}  // namespace capwright
