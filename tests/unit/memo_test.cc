// A result is computed once, separately for each kind of question.
#include "lint/model/memo.h"

#include <catch2/catch.hpp>
#include <string>

namespace capwright::lint {
namespace {

struct Thing {
  std::string text;
  mutable Memo memo;
  mutable int worked_out = 0;
};

std::size_t size_of(const Thing& thing) {
  ++thing.worked_out;
  return thing.text.size();
}
std::size_t half_of(const Thing& thing) { return thing.memo(thing, size_of) / 2; }
std::string twice(const Thing& thing) { return thing.text + thing.text; }

TEST_CASE("each result is computed once") {
  const Thing thing{"text", {}, 0};
  CHECK(thing.memo(thing, half_of) == 2);
  const std::size_t& size = thing.memo(thing, size_of);
  CHECK(thing.memo(thing, twice) == "texttext");
  CHECK(size == 4);
  CHECK(&thing.memo(thing, size_of) == &size);
  CHECK(thing.worked_out == 1);
}

}  // namespace
}  // namespace capwright::lint
