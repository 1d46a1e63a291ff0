// Valid UTF-8: RFC 3629, section 3, and the table of well-formed sequences (Unicode 15, table 3-7).
#include "text/utf8.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

using namespace std::string_view_literals;
namespace utf8 = capwright::utf8;

TEST_CASE("text with one to four bytes per code point is valid") {
  for (const std::string_view text :
       {""sv, "a\0b"sv, "\x7f"sv, "\u0080\u07ff"sv, "\u0800\ud7ff\ue000\uffff"sv, "\U00010000\U0010ffff"sv, "\ufffd"sv})
    CHECK(utf8::first_invalid(text) == std::string_view::npos);
}

TEST_CASE("the first byte that isn't part of a code point is found") {
  const struct {
    std::string_view text;
    std::size_t at;
  } cases[] = {
      {"caf\xe9"sv, 3},           // Latin-1
      {"\x80"sv, 0},              // a continuation byte without a first byte
      {"ab\xc3"sv, 2},            // truncated
      {"\xc0\xaf"sv, 0},          // overlong
      {"\xe0\x9f\xbf"sv, 0},      // overlong
      {"\xf0\x8f\xbf\xbf"sv, 0},  // overlong
      {"a\xed\xa0\x80"sv, 1},     // half of a surrogate pair
      {"\xf4\x90\x80\x80"sv, 0},  // past the last code point
      {"\xff\xfe"
       "a\0"sv,
       0},  // UTF-16's byte order mark
      {"\u00e9\xe2\x82"
       "a"sv,
       2},  // a missing continuation byte
  };
  for (const auto& [text, at] : cases) CHECK(utf8::first_invalid(text) == at);
}

TEST_CASE("characters are counted, with non-ASCII ones at any position") {
  for (const std::string_view other : {"\u00e9"sv, "\u20ac"sv, "\U0001f600"sv, "\xff"sv}) {
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string text = std::string(before, 'x') + std::string(other) + std::string(40 - before, 'y');
      INFO(before);
      CHECK(utf8::length(text) == 41);
      CHECK_FALSE(utf8::is_ascii(text));
      CHECK(utf8::length(text.substr(0, before)) == before);
      CHECK(utf8::is_ascii(text.substr(0, before)));
    }
  }
}
