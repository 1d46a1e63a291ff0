// Displayed lines have stars in place of secrets, even if the places of these overlap; messages have words.
#include "secrets/redactor.h"

#include <catch2/catch.hpp>

namespace capwright::secrets {
namespace {

constexpr FileId kFile{1}, kOther{2};

TEST_CASE("places of secrets may overlap, in any order") {
  const Places secrets({{kFile, 12, 16}, {kFile, 2, 9}, {kOther, 0, 99}, {kFile, 3, 5}, {kFile, 8, 10}});
  CHECK(secrets.redact("0123456789abcdefghij", kFile, 0) == "01********ab****ghij");
  CHECK(secrets.redact("89abcd", kFile, 8) == "**ab**");
  CHECK(secrets.redact("ab", kFile, 10) == "ab");
  CHECK(secrets.redact("ghij", kFile, 16) == "ghij");
  CHECK(secrets.redact("0123", kOther, 97) == "**23");
  CHECK(secrets.redact("0123", FileId{0}, 0) == "0123");
  CHECK(Places().redact("0123", kFile, 0) == "0123");
}

TEST_CASE("a character becomes one star, for any number of bytes") {
  const Places secrets({{kFile, 1, 5}});
  CHECK(secrets.redact("a\xc3\xb6\xc3\xb6z", kFile, 0) == "a**z");
}

}  // namespace
}  // namespace capwright::secrets
