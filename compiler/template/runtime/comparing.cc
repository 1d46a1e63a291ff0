// Truth, equality, order, membership and length, by Python's rules.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "diag/catalog/template_operations.h"
#include "template/runtime/objects.h"
#include "template/runtime/runtime.h"
#include "template/runtime/undefined.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

std::partial_ordering order_whole_and_float(const BigInteger& whole, double number) {
  if (std::isnan(number)) return std::partial_ordering::unordered;
  if (std::isinf(number)) return number > 0 ? std::partial_ordering::less : std::partial_ordering::greater;
  const auto order = whole <=> BigInteger::truncated(number);
  if (order != 0) return order;
  const double fraction = number - std::trunc(number);
  return 0.0 <=> fraction;
}

std::partial_ordering order_numbers(Runtime& runtime, const Value& a, const Value& b) {
  if (is_small_int(a) && is_small_int(b)) return small_int(a) <=> small_int(b);
  if (a.is(Kind::Float) && b.is(Kind::Float)) return a.as_float() <=> b.as_float();
  if (b.is(Kind::Float)) return order_whole_and_float(*runtime.whole(a), b.as_float());
  if (a.is(Kind::Float)) return 0 <=> order_whole_and_float(*runtime.whole(b), a.as_float());
  const BigInteger left = *runtime.whole(a), right = *runtime.whole(b);
  if (!runtime.step_whole(left, right, 0)) return std::partial_ordering::unordered;
  return left <=> right;
}

bool equal_maps(Runtime& runtime, const Value& a, const Value& b) {
  if (a.entries().size() != b.entries().size()) return false;
  return std::all_of(a.entries().begin(), a.entries().end(), [&](const Entry& entry) {
    const Value* other = runtime.step() ? runtime.find(b, entry.key) : nullptr;
    return other != nullptr && runtime.equal_items(entry.value, *other);
  });
}

bool equal_lists(Runtime& runtime, const Value& a, const Value& b) {
  if (a.is_tuple() != b.is_tuple() || a.items().size() != b.items().size()) return false;
  for (std::size_t i = 0; i < a.items().size(); ++i) {
    if (!runtime.step() || !runtime.equal_items(a.items()[i], b.items()[i])) return false;
  }
  return true;
}

bool is_strict(const Value& value) {
  return value.is(Kind::Undefined) && value.undefined_info()->mode == UndefinedMode::Strict;
}

}  // namespace

bool Runtime::truth(const Value& value) {
  switch (value.kind()) {
    case Kind::Error:
    case Kind::Null: return false;
    case Kind::Undefined:
      if (is_strict(value)) fail_undefined(value);
      return false;
    case Kind::Bool: return value.as_bool();
    case Kind::Int: return value.as_int() != 0;
    case Kind::Float: return value.as_float() != 0.0;
    case Kind::String: return value.text_rep()->size != 0;
    case Kind::List: return value.list_rep()->size != 0;
    case Kind::Map: return value.map_rep()->size != 0;
    case Kind::Object: return value.object_rep()->truth(*this);
  }
  CW_UNREACHABLE("a Value has no such kind");
}

bool Runtime::equals(const Value& a, const Value& b) {
  if (a.is_error() || b.is_error()) return false;
  look_at(a);
  look_at(b);
  if (is_strict(a) || is_strict(b)) {
    fail_undefined(is_strict(a) ? a : b);
    return false;
  }
  if (a.is(Kind::Object)) return a.object_rep()->equals(*this, b);
  if (b.is(Kind::Object)) return b.object_rep()->equals(*this, a);
  if (is_number(a) && is_number(b)) return order_numbers(*this, a, b) == 0;
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::Undefined: return a.undefined_info()->mode == b.undefined_info()->mode;
    case Kind::String: return a.text() == b.text() && step(work(a));
    case Kind::List:
    case Kind::Map: {
      const Nesting level(*this, "values");
      if (!level.fits()) return false;
      return a.is(Kind::List) ? equal_lists(*this, a, b) : equal_maps(*this, a, b);
    }
    default: return true;
  }
}

bool Runtime::equal_items(const Value& a, const Value& b) {
  const bool is_itself = a.is(Kind::Undefined) && b.is(Kind::Undefined) && a.undefined_info() == b.undefined_info();
  return is_itself || equals(a, b);
}

std::optional<std::partial_ordering> Runtime::order(const Value& a, const Value& b, std::string_view sign) {
  if (a.is_error() || b.is_error()) return std::nullopt;
  look_at(a);
  look_at(b);
  if (a.is(Kind::Undefined) || b.is(Kind::Undefined)) {
    fail_undefined(a.is(Kind::Undefined) ? a : b);
    return std::nullopt;
  }
  if (is_number(a) && is_number(b)) return order_numbers(*this, a, b);
  if (a.is(Kind::String) && b.is(Kind::String)) {
    if (!step(work(a))) return std::nullopt;
    return a.text() <=> b.text();  // the byte order of UTF-8 is the order of code points
  }
  if (a.is(Kind::List) && b.is(Kind::List) && a.is_tuple() == b.is_tuple()) {
    const Nesting level(*this, "values");
    if (!level.fits()) return std::nullopt;
    const std::size_t shorter = std::min(a.items().size(), b.items().size());
    for (std::size_t i = 0; i < shorter; ++i) {
      const std::uint64_t before = failures();
      if (!step()) return std::nullopt;
      if (!equal_items(a.items()[i], b.items()[i])) {
        return failures() != before ? std::nullopt : order(a.items()[i], b.items()[i], sign);
      }
    }
    return a.items().size() <=> b.items().size();
  }
  report_type(*this,
              fmt::format("'{}' not supported between instances of '{}' and '{}'", sign, type_name(a), type_name(b)), a,
              b);
  return std::nullopt;
}

std::optional<int> Runtime::compare(const Value& a, const Value& b) {
  const auto found = order(a, b, "<");
  if (!found) return std::nullopt;
  if (*found < 0) return -1;
  if (*found > 0) return 1;
  return 0;
}

bool Runtime::contains(const Value& container, const Value& item) {
  if (container.is_error() || item.is_error() || !usable(container)) return false;
  look_at(container);
  look_at(item);
  switch (container.kind()) {
    case Kind::Map: return hashable(item) && find(container, item) != nullptr;
    case Kind::String:
      if (item.is(Kind::String)) {
        return step(container.text_rep()->size / 64) && step_search(container.text(), item.text()) &&
               container.text().find(item.text()) != std::string_view::npos;
      }
      fail_as(diag::wrong_type.info,
              fmt::format("'in <string>' requires string as left operand, not {}", type_name(item)));
      return false;
    case Kind::List:
    case Kind::Object:
    case Kind::Undefined: break;
    default:
      fail_as(diag::wrong_type.info, fmt::format("argument of type '{}' is not iterable", type_name(container)));
      return false;
  }
  if (!iterable(container)) {
    fail_as(diag::wrong_type.info, fmt::format("argument of type '{}' is not iterable", type_name(container)));
    return false;
  }
  const std::uint64_t before = failures();
  Iterator* items = iterate(container);
  for (Value element; items->next(*this, element);) {
    if (!step() || equal_items(element, item)) return true;
    if (failures() != before) return false;
  }
  return false;
}

std::optional<std::size_t> Runtime::length(const Value& value) {
  if (!usable(value)) return std::nullopt;
  look_at(value);
  switch (value.kind()) {
    case Kind::Undefined: return 0;
    case Kind::String:
      if (!step(work(value))) return std::nullopt;
      return utf8::length(value.text());
    case Kind::List: return value.items().size();
    case Kind::Map: return value.entries().size();
    case Kind::Object:
      if (const auto length = value.object_rep()->length(*this)) return length;
      break;
    default: break;
  }
  fail_as(diag::wrong_type.info, fmt::format("object of type '{}' has no len()", type_name(value)));
  return std::nullopt;
}

}  // namespace capwright::jinja
