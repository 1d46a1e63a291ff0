// Searching for several texts at once gives the same result as one after the other.
#include "text/literals.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

namespace capwright {
namespace {

TEST_CASE("a literal is found at every position") {
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

TEST_CASE("random texts are found like in searches one after the other") {
  std::mt19937 random(20261122);
  const auto text_of = [&](std::size_t size) {
    std::string text(size, ' ');
    for (char& c : text) c = "aA_-"[random() % 4];
    return text;
  };
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::string> wanted;
    for (std::size_t i = 0; i <= random() % 3; ++i) wanted.push_back(text_of(1 + random() % 9));
    const std::string text = text_of(random() % 40);
    const bool stands = std::any_of(wanted.begin(), wanted.end(),
                                    [&](const std::string& one) { return text.find(one) != std::string::npos; });
    INFO(text << " of " << wanted.front());
    CHECK(Literals(wanted).stand_in(text) == stands);
  }
}

}  // namespace
}  // namespace capwright
