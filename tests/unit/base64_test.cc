// Base64 is decoded as Go does: padded, with line breaks anywhere, and no other characters.
#include "text/base64.h"

#include <catch2/catch.hpp>

namespace capwright {
namespace {

TEST_CASE("base64 output is read back") {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    for (const std::string_view alphabet : {kBase64, kBase64Url}) {
      const std::string text = to_base64(bytes, alphabet);
      INFO(text);
      CHECK(from_base64(text, alphabet) == bytes);
      CHECK(first_base64_fault(text, alphabet) == std::string_view::npos);
    }
    bytes += static_cast<char>(i * 37 & 0xff);
  }
}

TEST_CASE("an alphabet rejects the other's digits") {
  CHECK(from_base64("+/+/") == "\xfb\xff\xbf");
  CHECK(from_base64("-_-_", kBase64Url) == "\xfb\xff\xbf");
  CHECK_FALSE(from_base64("-_-_"));
  CHECK_FALSE(from_base64("+/+/", kBase64Url));
}

TEST_CASE("line breaks in base64 are allowed anywhere, other blanks nowhere") {
  CHECK(from_base64("aGVs\r\nbG8=\n") == "hello");
  CHECK(from_base64("aGVsbG\n8\n=") == "hello");
  CHECK(from_base64("aGU=\n") == "he");
  CHECK(from_base64("aA=\n=\n") == "h");
  CHECK(from_base64("").has_value());
  CHECK(first_base64_fault("aGVs bG8=") == 4);
}

TEST_CASE("base64 is padded to groups of four, once") {
  CHECK(first_base64_fault("not base64") == 3);
  CHECK(first_base64_fault("aGVsbG8") == 7);
  CHECK(first_base64_fault("a") == 1);
  CHECK(first_base64_fault("=") == 0);
  CHECK(first_base64_fault("a===") == 1);
  CHECK(first_base64_fault("aGU==") == 4);
  CHECK(first_base64_fault("aA=") == 3);
  CHECK(first_base64_fault("aA=a") == 3);
  CHECK(first_base64_fault("aA==aA==") == 4);
}

}  // namespace
}  // namespace capwright
