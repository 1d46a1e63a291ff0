// Which versions satisfy the constraints of `required_version`.
#include "pipeline/required_version.h"

#include <catch2/catch.hpp>

using capwright::Arena;
using capwright::unsatisfied_constraint;

namespace {

bool accepts(const char* constraints, const char* version) {
  Arena arena;
  return !unsatisfied_constraint(constraints, version, arena);
}

}  // namespace

TEST_CASE("missing numbers of a constraint are 0") {
  CHECK(accepts("1.2", "1.2.0"));
  CHECK_FALSE(accepts("= 1.2", "1.2.1"));
  CHECK(accepts("!= 1.2", "1.2.1"));
  CHECK_FALSE(accepts("!=1.2", "1.2.0"));
}

TEST_CASE("versions are compared by number") {
  CHECK(accepts("> 0.9", "0.10.0"));
  CHECK_FALSE(accepts("> 1", "1.0.0"));
  CHECK(accepts(">= 1", "1.0.0"));
  CHECK(accepts("<= 1.0.0", "1.0.0"));
  CHECK_FALSE(accepts("< 1.0.0", "1.0.0"));
}

TEST_CASE("only the last written number of `~>` may be higher") {
  CHECK(accepts("~> 1.2.3", "1.2.9"));
  CHECK_FALSE(accepts("~> 1.2.3", "1.3.0"));
  CHECK_FALSE(accepts("~> 1.2.3", "1.2.2"));
  CHECK(accepts("~> 1.2", "1.9.0"));
  CHECK_FALSE(accepts("~> 1.2", "2.0.0"));
  CHECK(accepts("~> 1", "2.0.0"));
}

TEST_CASE("the first unsatisfied constraint of a list is named") {
  Arena arena;
  CHECK(unsatisfied_constraint(" >=0.9,  < 2 ,!= 2.1", "2.1.0", arena) == "< 2");
  CHECK_FALSE(unsatisfied_constraint(">= 0.9, < 2", "1.0.0", arena));
}

TEST_CASE("the schema reports what isn't a constraint") { CHECK(accepts("=> 1", "0.1.0")); }
