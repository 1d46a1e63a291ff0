// Several texts are looked for at once, with the same answer as one after the other.
#include "text/literals.h"

#include <catch2/catch.hpp>

namespace capwright {
namespace {

TEST_CASE("a literal is found wherever it stands") {
  const Literals literals({"@", "ghp_", "--BEGIN", "xy"});
  for (const char* found : {"@", "a@", "@a", "ghp_", "aghp_b", "a--BEGIN", "xy", "xxy", "g\nghghp_"}) {
    INFO(found);
    CHECK(literals.stand_in(found));
  }
  for (const char* other : {"", "g", "gh", "ghp", "ghp-", "--BEGI", "x", "yx", "x y", "GHP_"}) {
    INFO(other);
    CHECK_FALSE(literals.stand_in(other));
  }
}

TEST_CASE("bytes of any value are literals, too") {
  const Literals literals({std::string("\xff\x00\x80", 3)});
  CHECK(literals.stand_in(std::string_view("a\xff\x00\x80", 4)));
  CHECK_FALSE(literals.stand_in(std::string_view("\xff\x00\x7f", 3)));
}

}  // namespace
}  // namespace capwright
