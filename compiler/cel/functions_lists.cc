// Functions of lists, and of lists as sets.
#include <algorithm>
#include <numeric>
#include <set>

#include "cel/function.h"

namespace capwright::cel {
namespace {

constexpr std::int64_t kLongestRange = 1'000'000;
// Sorting and deduplicating compare all pairs in the worst case; longer lists would exceed every budget.
constexpr std::size_t kMostPairs = 1'000'000;

std::vector<Val> items_of(const Val& list, Arena& arena) {
  std::vector<Val> items;
  items.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) items.push_back(list.item(i, arena));
  return items;
}

// The first error among values; null if there is none.
const Val* first_error(const std::vector<Val>& items) {
  const auto found = std::find_if(items.begin(), items.end(), [](const Val& v) { return v.is_error(); });
  return found == items.end() ? nullptr : &*found;
}

// The extreme element; `sign` -1: the least, 1: the greatest.
Val extreme(Call& call, int sign, std::string_view name) {
  if (call.args[0].size() == 0) return call.fail("`" + std::string(name) + "` of an empty list");
  Val best = call.args[0].item(0, call.arena);
  for (std::size_t i = 1; i < call.args[0].size() && !best.is_error(); ++i) {
    const Val item = call.args[0].item(i, call.arena);
    if (item.is_error()) return item;
    const std::optional<int> order = compare(item, best);
    if (order && *order == sign) best = item;
  }
  return best;
}

Val sum_from(Call& call, Val sum) {
  for (std::size_t i = 0; i < call.args[0].size() && !sum.is_error(); ++i) {
    const Val item = call.args[0].item(i, call.arena);
    if (item.is_error()) return item;
    if (item.kind() != sum.kind()) return no_such_overload(call.arena);
    const Val operands[] = {sum, item};
    Call addition{operands, call.arena, call.bounds};
    sum = plus(addition);
  }
  return sum;
}

bool is_member(const Val& list, const Val& item, Bounds& bounds) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(list.item(i, bounds.arena()), item, bounds).is_true()) return true;
  }
  return false;
}

bool contains_all(const Val& list, const Val& part, Bounds& bounds) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!is_member(list, part.item(i, bounds.arena()), bounds)) return false;
  }
  return true;
}

// False once there are more elements than the bounds allow: the lists may share elements.
bool flatten_into(std::vector<Val>& out, const Val& list, std::int64_t depth, Bounds& bounds) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Val item = list.item(i, bounds.arena());
    if (!bounds.step() || !bounds.has_room((out.size() + 1) * sizeof(Val))) return false;
    if (!item.is(TypeKind::List) || depth == 0) out.push_back(item);
    else if (!flatten_into(out, item, depth - 1, bounds)) return false;
  }
  return true;
}

// `items` sorted by `keys`, which have one ordered kind.
Val sorted(Call& call, const std::vector<Val>& items, const std::vector<Val>& keys) {
  if (const Val* fault = first_error(keys)) return *fault;
  for (const Val& key : keys) {
    if (key.kind() != keys[0].kind() || !compare(key, key))
      return call.fail("only values of one ordered type can be sorted");
  }
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return compare(keys[a], keys[b]) == -1; });
  std::vector<Val> out;
  for (const std::size_t index : order) out.push_back(items[index]);
  return make_list(out, call.arena);
}

}  // namespace

Val is_sorted(Call& call) {
  const std::vector<Val> items = items_of(call.args[0], call.arena);
  if (const Val* fault = first_error(items)) return *fault;
  for (std::size_t i = 1; i < items.size(); ++i) {
    if (compare(items[i - 1], items[i]) == 1) return Val::boolean(false);
  }
  return Val::boolean(true);
}

Val sum_int(Call& call) { return sum_from(call, Val::integer(0)); }
Val sum_uint(Call& call) { return sum_from(call, Val::unsigned_integer(0)); }
Val sum_double(Call& call) { return sum_from(call, Val::floating(0)); }
Val sum_duration(Call& call) { return sum_from(call, Val::duration(0)); }
Val max(Call& call) { return extreme(call, 1, "max"); }
Val min(Call& call) { return extreme(call, -1, "min"); }

Val list_index_of(Call& call) {
  for (std::size_t i = 0; i < call.args[0].size(); ++i) {
    if (equal(call.args[0].item(i, call.arena), call.args[1], call.bounds).is_true())
      return Val::integer(static_cast<std::int64_t>(i));
  }
  return Val::integer(-1);
}

Val list_last_index_of(Call& call) {
  for (std::size_t i = call.args[0].size(); i-- > 0;) {
    if (equal(call.args[0].item(i, call.arena), call.args[1], call.bounds).is_true())
      return Val::integer(static_cast<std::int64_t>(i));
  }
  return Val::integer(-1);
}

Val includes(Call& call) {
  if (call.args[0].is(TypeKind::List)) return Val::boolean(is_member(call.args[0], call.args[1], call.bounds));
  return Val::boolean(equal(call.args[0], call.args[1], call.bounds).is_true());
}

Val slice(Call& call) {
  const std::int64_t begin = call.args[1].as_int(), end = call.args[2].as_int();
  const std::size_t size = call.args[0].size();
  if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > size) {
    return call.fail("[" + std::to_string(begin) + ", " + std::to_string(end) + ") isn't a range of a list of " +
                     std::to_string(size));
  }
  std::vector<Val> out;
  for (std::int64_t i = begin; i < end; ++i) out.push_back(call.args[0].item(static_cast<std::size_t>(i), call.arena));
  return make_list(out, call.arena);
}

Val flatten(Call& call) {
  const std::int64_t depth = call.args.size() == 2 ? call.args[1].as_int() : 1;
  if (depth < 0) return call.fail("a list can't be flattened " + std::to_string(depth) + " levels");
  std::vector<Val> out;
  if (!flatten_into(out, call.args[0], depth, call.bounds)) return call.stopped();
  return make_list(out, call.arena);
}

Val sort(Call& call) {
  const std::vector<Val> items = items_of(call.args[0], call.arena);
  return sorted(call, items, items);
}

Val sort_by_keys(Call& call) {
  return sorted(call, items_of(call.args[0], call.arena), items_of(call.args[1], call.arena));
}

Val range(Call& call) {
  const std::int64_t size = call.args[0].as_int();
  if (size < 0 || size > kLongestRange) return call.fail(std::to_string(size) + " is not between 0 and 1000000");
  std::vector<Val> out;
  for (std::int64_t i = 0; i < size; ++i) out.push_back(Val::integer(i));
  return make_list(out, call.arena);
}

Val reverse(Call& call) {
  std::vector<Val> items = items_of(call.args[0], call.arena);
  std::reverse(items.begin(), items.end());
  return make_list(items, call.arena);
}

Val distinct(Call& call) {
  std::vector<Val> out;
  std::size_t pairs = 0;
  for (const Val& item : items_of(call.args[0], call.arena)) {
    pairs += out.size();
    if (pairs > kMostPairs) return call.fail("the list is too long to find its distinct elements");
    const bool seen = std::any_of(out.begin(), out.end(),
                                  [&](const Val& other) { return equal(item, other, call.bounds).is_true(); });
    if (!seen) out.push_back(item);
  }
  return make_list(out, call.arena);
}

Val first(Call& call) {
  if (call.args[0].size() == 0) return Val::optional_none();
  return make_optional(call.args[0].item(0, call.arena), call.arena);
}

Val last(Call& call) {
  const std::size_t size = call.args[0].size();
  return size == 0 ? Val::optional_none() : make_optional(call.args[0].item(size - 1, call.arena), call.arena);
}

Val sets_contains(Call& call) { return Val::boolean(contains_all(call.args[0], call.args[1], call.bounds)); }

Val sets_equivalent(Call& call) {
  return Val::boolean(contains_all(call.args[0], call.args[1], call.bounds) &&
                      contains_all(call.args[1], call.args[0], call.bounds));
}

Val sets_intersects(Call& call) {
  for (std::size_t i = 0; i < call.args[0].size(); ++i) {
    if (is_member(call.args[1], call.args[0].item(i, call.arena), call.bounds)) return Val::boolean(true);
  }
  return Val::boolean(false);
}

}  // namespace capwright::cel
