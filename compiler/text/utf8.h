// UTF-8 strings as sequences of code points: Python's len(), indexing and slicing count these. Invalid bytes count as
// one code point each, so no input can make these functions read past the end.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace capwright::utf8 {

struct CodePoint {
  char32_t value;      // U+FFFD for an invalid byte
  std::uint32_t size;  // length in bytes
};

// The code point that starts at byte `offset` (< text.size()).
CodePoint decode(std::string_view text, std::size_t offset);
// The offset of the code point that ends before byte `offset` (> 0).
std::size_t previous(std::string_view text, std::size_t offset);

void append(std::string& out, char32_t code_point);

bool is_ascii(std::string_view text);
// The offset of the first byte that isn't part of a code point; halves of surrogate pairs are invalid (RFC 3629,
// section 3). npos if all of `text` is UTF-8.
std::size_t first_invalid(std::string_view text);
bool is_valid(std::string_view text);
// The number of code points in `text`.
std::size_t length(std::string_view text);
// The byte offset of code point number `index`; text.size() if there are fewer.
std::size_t byte_offset(std::string_view text, std::size_t index);
// Code points number [begin, end), clamped to the length.
std::string_view slice(std::string_view text, std::size_t begin, std::size_t end);

std::u32string decode_all(std::string_view text);
std::string encode_all(std::u32string_view text);

}  // namespace capwright::utf8
