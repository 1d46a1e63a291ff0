// Displayed lines have stars in place of secrets, even if the places of these overlap.
#include <catch2/catch.hpp>

#include "report/printable.h"

namespace capwright::report {
namespace {

constexpr FileId kFile{1}, kOther{2};

TEST_CASE("places of secrets may overlap, in any order") {
  const SecretSpans secrets({{kFile, 12, 16}, {kFile, 2, 9}, {kOther, 0, 99}, {kFile, 3, 5}, {kFile, 8, 10}});
  CHECK(secrets.mask("0123456789abcdefghij", kFile, 0) == "01********ab****ghij");
  CHECK(secrets.mask("89abcd", kFile, 8) == "**ab**");
  CHECK(secrets.mask("ab", kFile, 10) == "ab");
  CHECK(secrets.mask("ghij", kFile, 16) == "ghij");
  CHECK(secrets.mask("0123", kOther, 97) == "**23");
  CHECK(secrets.mask("0123", FileId{0}, 0) == "0123");
  CHECK(SecretSpans().mask("0123", kFile, 0) == "0123");
}

TEST_CASE("a character becomes one star, for any number of bytes") {
  const SecretSpans secrets({{kFile, 1, 5}});
  CHECK(secrets.mask("a\xc3\xb6\xc3\xb6z", kFile, 0) == "a**z");
}

}  // namespace
}  // namespace capwright::report
