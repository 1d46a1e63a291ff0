// Groups are plain tuples, marked by their payload's capacity, which tuples don't use because they never grow.
#include <array>
#include <limits>

#include "template/builtins/sorting.h"

namespace capwright::jinja {
namespace {

constexpr std::uint32_t kGroup = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Value make_group(Runtime& runtime, const Value& grouper, const Value& list) {
  const std::array parts{grouper, list};
  const Value group = runtime.tuple(parts);
  if (group.is(Kind::List)) group.list_rep()->capacity = kGroup;
  return group;
}

std::optional<Value> group_attribute(const Value& self, std::string_view name) {
  if (!self.is(Kind::List) || !self.is_tuple() || self.list_rep()->capacity != kGroup) return std::nullopt;
  const auto part = [&](std::size_t index) {
    return self.tainted() ? self.items()[index].with_taint() : self.items()[index];
  };
  if (name == "grouper") return part(0);
  if (name == "list") return part(1);
  return std::nullopt;
}

}  // namespace capwright::jinja
