// Operators: arithmetic with overflow as an error, comparison, `in` and indexing.
#include <cmath>

#include "cel/function.h"

namespace capwright::cel {
namespace {

Val overflow(Call& call, std::string_view what) {
  return call.fail(std::string(what) + " doesn't fit " + (call.args[0].is(TypeKind::Uint) ? "a uint" : "an int") +
                   " of 64 bits");
}

Val outside_of_years(Call& call) { return call.fail("the time is outside the years 1 to 9999"); }

Val whole_or_overflow(Call& call, bool overflowed, std::int64_t result, std::string_view what) {
  if (overflowed) return overflow(call, what);
  return call.args[0].is(TypeKind::Duration) ? Val::duration(result) : Val::integer(result);
}

Val instant_or_range(Call& call, const std::optional<Instant>& instant) {
  return instant ? Val::timestamp(*instant) : outside_of_years(call);
}

Val ordered(Call& call, bool (*holds)(int)) {
  const std::optional<int> order = compare(call.args[0], call.args[1]);
  if (!order) return call.fail("NaN is neither less nor greater than anything");
  return Val::boolean(holds(*order));
}

Val joined(Call& call) {
  const std::string_view a = call.text(0), b = call.text(1);
  if (!call.bounds.has_room(a.size() + b.size())) return call.stopped();
  std::string text;
  text.reserve(a.size() + b.size());
  text.append(a).append(b);
  return call.args[0].is(TypeKind::String) ? call.make_text(text) : make_bytes(text, call.arena);
}

// An index as a whole number; an error for a fraction or another kind.
std::optional<std::int64_t> whole_index(const Val& index) {
  if (index.is(TypeKind::Int)) return index.as_int();
  if (index.is(TypeKind::Uint) && index.as_uint() < std::uint64_t{1} << 63) return index.as_int();
  if (index.is(TypeKind::Double) && std::trunc(index.as_double()) == index.as_double() &&
      std::abs(index.as_double()) < 9e18) {
    return static_cast<std::int64_t>(index.as_double());
  }
  return std::nullopt;
}

// The element or entry; empty if there is none.
std::optional<Val> look_up(const Val& container, const Val& key, Arena& arena) {
  if (container.is(TypeKind::Map)) return container.find(key, arena);
  const std::optional<std::int64_t> index = whole_index(key);
  if (!index) return no_such_overload(arena);
  if (*index < 0 || static_cast<std::uint64_t>(*index) >= container.size()) return std::nullopt;
  return container.item(static_cast<std::size_t>(*index), arena);
}

}  // namespace

Val logical_not(Call& call) { return Val::boolean(!call.args[0].as_bool()); }

Val negate(Call& call) {
  const Val& a = call.args[0];
  if (a.is(TypeKind::Double)) return Val::floating(-a.as_double());
  std::int64_t result = 0;
  const bool overflowed = __builtin_sub_overflow(std::int64_t{0}, a.as_int(), &result);
  return whole_or_overflow(call, overflowed, result, "the negative");
}

Val plus(Call& call) {
  const Val &a = call.args[0], &b = call.args[1];
  std::int64_t sum = 0;
  std::uint64_t unsigned_sum = 0;
  switch (a.kind()) {
    case TypeKind::Double: return Val::floating(a.as_double() + b.as_double());
    case TypeKind::String:
    case TypeKind::Bytes: return joined(call);
    case TypeKind::List: return concatenate(a, b, call.bounds);
    case TypeKind::Timestamp: return instant_or_range(call, add(a.as_instant(), b.as_int()));
    case TypeKind::Uint:
      if (__builtin_add_overflow(a.as_uint(), b.as_uint(), &unsigned_sum)) return overflow(call, "the sum");
      return Val::unsigned_integer(unsigned_sum);
    default: break;
  }
  if (b.is(TypeKind::Timestamp)) return instant_or_range(call, add(b.as_instant(), a.as_int()));
  const bool overflowed = __builtin_add_overflow(a.as_int(), b.as_int(), &sum);
  return whole_or_overflow(call, overflowed, sum, "the sum");
}

Val minus(Call& call) {
  const Val &a = call.args[0], &b = call.args[1];
  std::int64_t difference_of = 0;
  std::uint64_t unsigned_difference = 0;
  switch (a.kind()) {
    case TypeKind::Double: return Val::floating(a.as_double() - b.as_double());
    case TypeKind::Timestamp: {
      if (b.is(TypeKind::Timestamp)) {
        const std::optional<std::int64_t> nanos = difference(a.as_instant(), b.as_instant());
        return nanos ? Val::duration(*nanos) : call.fail("the duration is longer than 292 years");
      }
      std::int64_t negative = 0;
      if (__builtin_sub_overflow(std::int64_t{0}, b.as_int(), &negative)) return outside_of_years(call);
      return instant_or_range(call, add(a.as_instant(), negative));
    }
    case TypeKind::Uint:
      if (__builtin_sub_overflow(a.as_uint(), b.as_uint(), &unsigned_difference))
        return overflow(call, "the difference");
      return Val::unsigned_integer(unsigned_difference);
    default: break;
  }
  const bool overflowed = __builtin_sub_overflow(a.as_int(), b.as_int(), &difference_of);
  return whole_or_overflow(call, overflowed, difference_of, "the difference");
}

Val times(Call& call) {
  const Val &a = call.args[0], &b = call.args[1];
  if (a.is(TypeKind::Double)) return Val::floating(a.as_double() * b.as_double());
  std::uint64_t unsigned_product = 0;
  if (a.is(TypeKind::Uint)) {
    if (__builtin_mul_overflow(a.as_uint(), b.as_uint(), &unsigned_product)) return overflow(call, "the product");
    return Val::unsigned_integer(unsigned_product);
  }
  std::int64_t product = 0;
  const bool overflowed = __builtin_mul_overflow(a.as_int(), b.as_int(), &product);
  return whole_or_overflow(call, overflowed, product, "the product");
}

Val divide(Call& call) {
  const Val &a = call.args[0], &b = call.args[1];
  if (a.is(TypeKind::Double)) return Val::floating(a.as_double() / b.as_double());
  if (b.as_int() == 0) return call.fail("division by zero");
  if (a.is(TypeKind::Uint)) return Val::unsigned_integer(a.as_uint() / b.as_uint());
  if (a.as_int() == INT64_MIN && b.as_int() == -1) return overflow(call, "the quotient");
  return Val::integer(a.as_int() / b.as_int());
}

Val modulo(Call& call) {
  const Val &a = call.args[0], &b = call.args[1];
  if (b.as_int() == 0) return call.fail("modulus by zero");
  if (a.is(TypeKind::Uint)) return Val::unsigned_integer(a.as_uint() % b.as_uint());
  if (a.as_int() == INT64_MIN && b.as_int() == -1) return overflow(call, "the remainder");
  return Val::integer(a.as_int() % b.as_int());
}

Val equals(Call& call) { return equal(call.args[0], call.args[1], call.bounds); }

Val not_equals(Call& call) {
  const Val same = equal(call.args[0], call.args[1], call.bounds);
  return same.is_error() ? same : Val::boolean(!same.as_bool());
}

Val less(Call& call) {
  return ordered(call, [](int order) { return order < 0; });
}
Val less_equal(Call& call) {
  return ordered(call, [](int order) { return order <= 0; });
}
Val greater(Call& call) {
  return ordered(call, [](int order) { return order > 0; });
}
Val greater_equal(Call& call) {
  return ordered(call, [](int order) { return order >= 0; });
}

Val in_list(Call& call) {
  std::optional<Val> fault;
  for (std::size_t i = 0; i < call.args[1].size(); ++i) {
    const Val same = equal(call.args[1].item(i, call.arena), call.args[0], call.bounds);
    if (same.is_true()) return same;
    if (same.is_error() && !fault) fault = same;
  }
  return fault ? *fault : Val::boolean(false);
}

Val in_map(Call& call) {
  const std::optional<Val> found = call.args[1].find(call.args[0], call.arena);
  return found && found->is_error() ? *found : Val::boolean(found.has_value());
}

Val index_list(Call& call) {
  const std::optional<Val> found = look_up(call.args[0], call.args[1], call.arena);
  if (found) return *found;
  return call.fail("there is no element " + to_text(call.args[1]) + ": the list has " +
                   std::to_string(call.args[0].size()));
}

Val index_map(Call& call) {
  const std::optional<Val> found = look_up(call.args[0], call.args[1], call.arena);
  return found ? *found : call.fail("there is no key " + to_text(call.args[1]));
}

Val index_optional(Call& call) {
  Val container = call.args[0];
  if (container.is(TypeKind::Optional)) {
    if (container.inner() == nullptr) return Val::optional_none();
    container = *container.inner();
  }
  if (!container.is(TypeKind::List) && !container.is(TypeKind::Map)) return no_such_overload(call.arena);
  const std::optional<Val> found = look_up(container, call.args[1], call.arena);
  if (!found) return Val::optional_none();
  return found->is_error() ? *found : make_optional(*found, call.arena);
}

}  // namespace capwright::cel
