// The built-in tables of admission rules are valid.
#include <catch2/catch.hpp>

#include "admission/providers.h"

using namespace capwright;

TEST_CASE("every expression, check and group of the tables is valid") {
  const admission::Providers providers(admission::built_in_rules());
  CHECK(providers.faults() == std::vector<std::string>());
}
