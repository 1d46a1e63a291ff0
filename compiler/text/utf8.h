// Strings as sequences of code points, over UTF-8 bytes: what Python's len(), indexing and slicing mean by "character".
// Invalid bytes count as one code point each, so no input can make these functions read past the end.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace capwright::utf8 {

struct CodePoint {
  char32_t value;      // an invalid byte reads as U+FFFD
  std::uint32_t size;  // bytes it takes
};

// The code point that starts at byte `offset` (< text.size()).
CodePoint decode(std::string_view text, std::size_t offset);
// The offset of the code point that ends before byte `offset` (> 0).
std::size_t previous(std::string_view text, std::size_t offset);

void append(std::string& out, char32_t code_point);

bool is_ascii(std::string_view text);
// The offset of the first byte that is no part of a code point, halves of surrogate pairs counted among them (RFC 3629,
// section 3); npos when all of `text` is UTF-8.
std::size_t first_invalid(std::string_view text);
bool is_valid(std::string_view text);
// Code points in `text`.
std::size_t length(std::string_view text);
// The byte offset of code point number `index`; text.size() when there are fewer.
std::size_t byte_offset(std::string_view text, std::size_t index);
// Code points number [begin, end), clamped to what there is.
std::string_view slice(std::string_view text, std::size_t begin, std::size_t end);

std::u32string decode_all(std::string_view text);
std::string encode_all(std::u32string_view text);

}  // namespace capwright::utf8
