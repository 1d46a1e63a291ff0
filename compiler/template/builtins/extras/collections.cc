// Filters and tests on lists as sets and as tables: union, zip, product, flatten, subset … Ansible's set filters give
// an arbitrary order; here it is that of the operands, so that a render is reproducible.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "diag/catalog/limits.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "template/builtins/extras/value_set.h"

namespace capwright::jinja {
namespace {

using extras::ValueSet;
using Items = std::vector<Value>;

// Collects items without repetition; false if a limit is reached.
class DistinctList {
 public:
  explicit DistinctList(Runtime& runtime) : runtime_(runtime), seen_(runtime), list_(runtime.list({})) {}
  bool add(const Value& item) { return !seen_.add(item) || runtime_.append(list_, item); }
  Value result() const { return runtime_.stopped() ? Value::error() : list_; }

 private:
  Runtime& runtime_;
  ValueSet seen_;
  Value list_;
};

// The items of `from` that are (or aren't) in `other`, appended without repetition.
bool add_selected(Runtime& runtime, const Items& from, const Items& other, bool in_other, DistinctList& out) {
  ValueSet others(runtime);
  for (const Value& item : other) others.add(item);
  return std::all_of(from.begin(), from.end(),
                     [&](const Value& item) { return others.contains(item) != in_other || out.add(item); });
}

// The items of the first operand that are (or aren't) in the second.
Value select(Runtime& runtime, const BoundArguments& arguments, bool in_second) {
  const auto a = items_of(runtime, arguments[0]);
  const auto b = a ? items_of(runtime, arguments[1]) : std::nullopt;
  if (!b) return Value::error();
  DistinctList result(runtime);
  return add_selected(runtime, *a, *b, in_second, result) ? result.result() : Value::error();
}

class Flattener {
 public:
  Flattener(Runtime& runtime, bool skip_nulls) : runtime_(runtime), skip_nulls_(skip_nulls), list_(runtime.list({})) {}

  // `levels`: how many levels of nesting to remove; none: all.
  bool add(const Value& iterable, std::optional<std::int64_t> levels, std::uint32_t depth) {
    if (depth > runtime_.stage.limits.depth) {
      runtime_.fail(diag::nested_too_deep, "lists", runtime_.stage.limits.depth);
      return false;
    }
    const auto items = items_of(runtime_, iterable);
    if (!items) return false;
    for (const Value& item : *items) {
      if (skip_nulls_ && extras::is_null_word(item)) continue;
      const bool opens = extras::is_sequence(runtime_, item) && (!levels || *levels >= 1);
      auto levels_below = levels;
      if (opens && levels) --*levels_below;
      if (!(opens ? add(item, levels_below, depth + 1) : runtime_.append(list_, item))) return false;
    }
    return true;
  }
  Value result() const { return list_; }

 private:
  Runtime& runtime_;
  bool skip_nulls_;
  Value list_;
};

// The operand and the arguments of `zip` and `product`, each as a list; empty if one can't be iterated.
std::vector<Items> columns_of(Runtime& runtime, const BoundArguments& arguments) {
  std::vector<Items> columns;
  const auto add = [&](const Value& value) {
    auto items = items_of(runtime, value);
    if (items) columns.push_back(std::move(*items));
    return items.has_value();
  };
  if (add(arguments[0]) && std::all_of(arguments.rest.begin(), arguments.rest.end(), add)) return columns;
  return {};
}

// `count` rows as tuples; a column that is too short is padded with `filler`.
Value rows_of(Runtime& runtime, const std::vector<Items>& columns, std::size_t count, const Value& filler) {
  if (!runtime.room_for_items(count) || !runtime.step(count * columns.size())) return Value::error();
  const Value rows = runtime.list({});
  std::vector<Value> row(columns.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::transform(columns.begin(), columns.end(), row.begin(),
                   [&](const Items& column) { return i < column.size() ? column[i] : filler; });
    if (!runtime.append(rows, runtime.tuple(row))) return Value::error();
  }
  return rows;
}

bool shorter(const Items& a, const Items& b) { return a.size() < b.size(); }

// The number of rows in the product of `columns`; empty (reported) if that is too many.
std::optional<std::uint64_t> product_size(Runtime& runtime, const std::vector<Items>& columns) {
  if (std::any_of(columns.begin(), columns.end(), [](const Items& items) { return items.empty(); })) return 0;
  std::uint64_t size = 1;
  for (const Items& column : columns) {
    size *= column.size();  // no overflow: each factor is checked against a 32-bit limit
    if (!runtime.room_for_items(size)) return std::nullopt;
  }
  return size;
}

// Advances `digits`, a number whose base differs by column; the last column changes fastest.
void next_row(std::vector<std::size_t>& digits, const std::vector<Items>& columns) {
  for (std::size_t i = digits.size(); i-- > 0;) {
    if (++digits[i] < columns[i].size()) return;
    digits[i] = 0;
  }
}

Value product_of(Runtime& runtime, const std::vector<Items>& columns) {
  const auto size = product_size(runtime, columns);
  if (!size || !runtime.step(*size * (columns.size() + 1))) return Value::error();
  const Value rows = runtime.list({});
  std::vector<std::size_t> digits(columns.size(), 0);
  std::vector<Value> row(columns.size());
  for (std::uint64_t i = 0; i < *size; ++i, next_row(digits, columns)) {
    for (std::size_t column = 0; column < row.size(); ++column) row[column] = columns[column][digits[column]];
    if (!runtime.append(rows, runtime.tuple(row))) return Value::error();
  }
  return rows;
}

// Whether every item of `inner` is among those of `outer`.
Value is_subset(Runtime& runtime, const Value& inner, const Value& outer) {
  const auto some = items_of(runtime, inner);
  const auto all = some ? items_of(runtime, outer) : std::nullopt;
  if (!all) return Value::error();
  ValueSet set(runtime);
  for (const Value& item : *all) set.add(item);
  const bool inside = std::all_of(some->begin(), some->end(), [&](const Value& item) { return set.contains(item); });
  return runtime.stopped() ? Value::error() : Value::boolean(inside);
}

}  // namespace

Value intersect_filter(Runtime& runtime, const BoundArguments& arguments) { return select(runtime, arguments, true); }
Value difference_filter(Runtime& runtime, const BoundArguments& arguments) { return select(runtime, arguments, false); }

Value union_filter(Runtime& runtime, const BoundArguments& arguments) {
  DistinctList result(runtime);
  for (std::size_t i = 0; i < 2; ++i) {
    const auto items = items_of(runtime, arguments[i]);
    if (!items || !std::all_of(items->begin(), items->end(), [&](const Value& item) { return result.add(item); })) {
      return Value::error();
    }
  }
  return result.result();
}

Value symmetric_difference_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto a = items_of(runtime, arguments[0]);
  const auto b = a ? items_of(runtime, arguments[1]) : std::nullopt;
  if (!b) return Value::error();
  DistinctList result(runtime);
  const bool added = add_selected(runtime, *a, *b, false, result) && add_selected(runtime, *b, *a, false, result);
  return added ? result.result() : Value::error();
}

Value flatten_filter(Runtime& runtime, const BoundArguments& arguments) {
  std::optional<std::int64_t> levels;
  if (!arguments[1].is(Kind::Null)) {
    levels = extras::integer_argument(runtime, "flatten", arguments[1]);
    if (!levels) return Value::error();
  }
  const auto skip_nulls = truth_of(runtime, arguments[2]);
  if (!skip_nulls) return Value::error();
  Flattener flattener(runtime, *skip_nulls);
  return flattener.add(arguments[0], levels, 0) ? flattener.result() : Value::error();
}

Value zip_filter(Runtime& runtime, const BoundArguments& arguments) {
  const std::vector<Items> columns = columns_of(runtime, arguments);
  if (columns.empty()) return Value::error();
  const std::size_t count = std::min_element(columns.begin(), columns.end(), shorter)->size();
  return rows_of(runtime, columns, count, Value::null());
}

Value zip_longest_filter(Runtime& runtime, const BoundArguments& arguments) {
  const std::vector<Items> columns = columns_of(runtime, arguments);
  if (columns.empty()) return Value::error();
  const std::size_t count = std::max_element(columns.begin(), columns.end(), shorter)->size();
  return rows_of(runtime, columns, count, arguments[1]);
}

Value product_filter(Runtime& runtime, const BoundArguments& arguments) {
  const std::vector<Items> once = columns_of(runtime, arguments);
  const auto repeat = once.empty() ? std::nullopt : extras::integer_argument(runtime, "product", arguments[1]);
  if (!repeat) return Value::error();
  std::vector<Items> columns;
  for (std::int64_t i = 0; i < *repeat; ++i) {
    if (!runtime.room_for_items(columns.size() + once.size()) || !runtime.step(once.size())) return Value::error();
    columns.insert(columns.end(), once.begin(), once.end());
  }
  return product_of(runtime, columns);
}

Value subset_test(Runtime& runtime, const BoundArguments& arguments) {
  return is_subset(runtime, arguments[0], arguments[1]);
}
Value superset_test(Runtime& runtime, const BoundArguments& arguments) {
  return is_subset(runtime, arguments[1], arguments[0]);
}

Value contains_test(Runtime& runtime, const BoundArguments& arguments) {
  const std::uint64_t before = runtime.failures();
  const bool found = runtime.contains(arguments[0], arguments[1]);
  return runtime.failures() == before ? Value::boolean(found) : Value::error();
}

}  // namespace capwright::jinja
