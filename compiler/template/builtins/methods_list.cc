// Methods of list and tuple.
#include <algorithm>

#include "diag/catalog/template_operations.h"
#include "template/builtins/operands.h"
#include "template/builtins/sorting.h"

namespace capwright::jinja {
namespace {

// The index of an item, from the end if negative; empty if there is none.
std::optional<std::size_t> place(std::int64_t index, std::size_t size) {
  if (index < 0) index += static_cast<std::int64_t>(size);
  if (index < 0 || index >= static_cast<std::int64_t>(size)) return std::nullopt;
  return static_cast<std::size_t>(index);
}

// The first item of `self` in the range that equals `value`; the end of the range if none does; empty if an error is
// reported.
std::optional<std::size_t> find_item(Runtime& runtime, const Value& self, const Value& value, Range range) {
  const auto failures = runtime.failures();
  for (std::size_t i = range.begin; i < std::min(range.end, self.items().size()); ++i) {
    const bool equal = runtime.equal_items(self.items()[i], value);
    if (runtime.failures() != failures || !runtime.step()) return std::nullopt;
    if (equal) return i;
  }
  return range.end;
}

Value not_in_list(Runtime& runtime, const Value& self, const Value& value) {
  return wrong_value(runtime,
                     self.is_tuple() ? "tuple.index(x): x not in tuple" : runtime.repr(value) + " is not in list");
}

}  // namespace

Value list_append(Runtime& runtime, const BoundArguments& arguments) {
  return runtime.append(arguments[0], arguments[1]) ? Value::null() : Value::error();
}

Value list_clear(Runtime& runtime, const BoundArguments& arguments) {
  runtime.clear(arguments[0]);
  return Value::null();
}

Value list_copy(Runtime& runtime, const BoundArguments& arguments) {
  return runtime.derived(runtime.list(arguments[0].items()), arguments[0]);
}

Value list_count(Runtime& runtime, const BoundArguments& arguments) {
  std::int64_t count = 0;
  const std::size_t size = arguments[0].items().size();
  for (std::size_t at = 0; at < size; ++at) {
    const auto found = find_item(runtime, arguments[0], arguments[1], {at, size});
    if (!found) return Value::error();
    if (*found == size) break;
    at = *found;
    ++count;
  }
  return Value::integer(count);
}

Value list_extend(Runtime& runtime, const BoundArguments& arguments) {
  const auto items = items_of(runtime, arguments[1]);
  if (!items) return Value::error();
  for (const Value& item : *items) {
    if (!runtime.append(arguments[0], item)) return Value::error();
  }
  return Value::null();
}

Value list_index(Runtime& runtime, const BoundArguments& arguments) {
  const auto range = slice_bounds(runtime, arguments[2], arguments[3], arguments[0].items().size());
  if (!range) return Value::error();
  const auto found = find_item(runtime, arguments[0], arguments[1], *range);
  if (!found) return Value::error();
  if (*found >= range->end) return not_in_list(runtime, arguments[0], arguments[1]);
  return Value::integer(static_cast<std::int64_t>(*found));
}

Value list_insert(Runtime& runtime, const BoundArguments& arguments) {
  const auto index = index_argument(runtime, arguments[1]);
  if (!index) return Value::error();
  const auto size = static_cast<std::int64_t>(arguments[0].items().size());
  const std::int64_t at = std::clamp<std::int64_t>(*index < 0 ? *index + size : *index, 0, size);
  return runtime.insert(arguments[0], static_cast<std::size_t>(at), arguments[2]) ? Value::null() : Value::error();
}

Value list_pop(Runtime& runtime, const BoundArguments& arguments) {
  const auto index = index_argument(runtime, arguments[1]);
  if (!index) return Value::error();
  if (arguments[0].items().empty()) return runtime.fail_as(diag::missing_item.info, "pop from empty list");
  const auto at = place(*index, arguments[0].items().size());
  if (!at) return runtime.fail_as(diag::missing_item.info, "pop index out of range");
  const Value item = arguments[0].items()[*at];
  runtime.erase(arguments[0], *at);
  return runtime.part_of(arguments[0], item);
}

Value list_remove(Runtime& runtime, const BoundArguments& arguments) {
  const std::size_t size = arguments[0].items().size();
  const auto found = find_item(runtime, arguments[0], arguments[1], {0, size});
  if (!found) return Value::error();
  if (*found == size) return wrong_value(runtime, "list.remove(x): x not in list");
  runtime.erase(arguments[0], *found);
  return Value::null();
}

Value list_reverse(Runtime&, const BoundArguments& arguments) {
  List& list = *arguments[0].list_rep();
  std::reverse(list.items, list.items + list.size);
  return Value::null();
}

Value list_sort(Runtime& runtime, const BoundArguments& arguments) {
  const auto reverse = flag_argument(runtime, arguments[2]);
  if (!reverse) return Value::error();
  std::vector<Keyed> items;
  for (std::size_t i = 0; i < arguments[0].items().size(); ++i) {
    const Value item = arguments[0].items()[i];
    Value key = item;
    if (!arguments[1].is(Kind::Null)) key = runtime.call(arguments[1], {{&item, 1}, {}});
    if (key.is_error() || !runtime.step()) return Value::error();
    items.push_back({key, item});
  }
  if (!sort_by_key(runtime, items, *reverse)) return Value::error();
  List& list = *arguments[0].list_rep();
  if (list.size != items.size()) return wrong_value(runtime, "list modified during sort");
  std::transform(items.begin(), items.end(), list.items, [](const Keyed& keyed) { return keyed.item; });
  return Value::null();
}

}  // namespace capwright::jinja
