// Converts arguments and creates results, with limits and Python's error messages.
#include "template/builtins/operands.h"

#include <algorithm>
#include <cmath>

#include "diag/catalog/template_operations.h"

namespace capwright::jinja {

Value text_of(Runtime& runtime, const Value& value) {
  if (value.is(Kind::String)) return value;
  if (!runtime.usable(value)) return Value::error();
  const auto failures = runtime.failures();
  const std::string text = runtime.str(value);
  if (runtime.failures() != failures) return Value::error();
  const Lineage from = runtime.lineage(value);
  return runtime.derived(runtime.string(text), from.origin, from.tainted);
}

std::optional<std::string_view> text_argument(Runtime& runtime, const Value& value, std::string_view what) {
  runtime.look_at(value);
  if (value.is(Kind::String)) return value.text();
  if (!runtime.usable(value)) return std::nullopt;
  wrong_type(runtime, std::string(what) + " must be str, not " + std::string(runtime.type_name(value)));
  return std::nullopt;
}

std::optional<std::int64_t> index_argument(Runtime& runtime, const Value& value) {
  runtime.look_at(value);
  if (value.is(Kind::Int)) return value.as_int();
  if (value.is(Kind::Bool)) return value.as_bool() ? 1 : 0;
  if (!runtime.usable(value)) return std::nullopt;
  if (runtime.whole(value)) {
    runtime.fail(diag::number_too_large, "Python int too large to convert to C ssize_t");
    return std::nullopt;
  }
  wrong_type(runtime, "'" + std::string(runtime.type_name(value)) + "' object cannot be interpreted as an integer");
  return std::nullopt;
}

std::optional<bool> flag_argument(Runtime& runtime, const Value& value) {
  const auto number = index_argument(runtime, value);
  if (!number) return std::nullopt;
  return *number != 0;
}

std::optional<bool> truth_of(Runtime& runtime, const Value& value) {
  const auto failures = runtime.failures();
  runtime.look_at_truth(value);
  const bool truth = runtime.truth(value);
  if (value.is_error() || runtime.failures() != failures) return std::nullopt;
  return truth;
}

bool is_html(const Value& value) {
  if (value.is(Kind::Undefined)) return value.undefined_info()->mode == UndefinedMode::Chainable;
  return value.is_markup() || (value.is(Kind::Object) && value.object_rep()->is_html());
}

bool is_text(const Value& value) { return value.is(Kind::String); }

std::optional<double> number_of(Runtime& runtime, const Value& value) {
  switch (value.kind()) {
    case Kind::Bool:
    case Kind::Int: return static_cast<double>(value.as_int());
    case Kind::Float: return value.as_float();
    default: break;
  }
  const auto whole = runtime.whole(value);
  if (!whole) return std::nullopt;
  const double number = whole->to_double();
  if (std::isfinite(number)) return number;
  runtime.fail(diag::number_too_large, "int too large to convert to float");
  return std::nullopt;
}

namespace {

// One bound of a slice, counted from the start; `absent` if it is none.
std::optional<std::size_t> bound(Runtime& runtime, const Value& value, std::size_t length, std::size_t absent) {
  if (value.is(Kind::Null)) return absent;
  if (const auto big = value.is(Kind::Object) ? runtime.whole(value) : std::nullopt)
    return big->is_negative() ? 0 : length + 1;
  if (!value.is(Kind::Int) && !value.is(Kind::Bool)) {
    if (runtime.usable(value)) {
      wrong_type(runtime, "slice indices must be integers or None or have an __index__ method");
    }
    return std::nullopt;
  }
  const auto size = static_cast<std::int64_t>(length);
  std::int64_t index = value.as_int();
  if (index < 0) index = index < -size ? 0 : index + size;
  return static_cast<std::size_t>(index);
}

}  // namespace

std::optional<Range> slice_bounds(Runtime& runtime, const Value& begin, const Value& end, std::size_t length) {
  runtime.look_at(begin);
  runtime.look_at(end);
  const auto first = bound(runtime, begin, length, 0);
  if (!first) return std::nullopt;
  const auto last = bound(runtime, end, length, length);
  if (!last) return std::nullopt;
  return Range{*first, std::min(*last, length)};
}

Value wrong_type(Runtime& runtime, std::string message) {
  return runtime.fail_as(diag::wrong_type.info, std::move(message));
}
Value wrong_value(Runtime& runtime, std::string message) {
  return runtime.fail_as(diag::wrong_value.info, std::move(message));
}

bool ListBuilder::add(const Value& item) {
  if (!runtime_.step() || !runtime_.room_for_items(items_.size() + 1)) return false;
  items_.push_back(item);
  return true;
}

std::optional<std::vector<Value>> items_of(Runtime& runtime, const Value& iterable) {
  Iterator* iterator = runtime.iterate(iterable);
  if (iterator == nullptr) return std::nullopt;
  ListBuilder items(runtime);
  const auto failures = runtime.failures();
  for (Value item; iterator->next(runtime, item);) {
    if (!items.add(item)) return std::nullopt;
  }
  if (runtime.failures() != failures) return std::nullopt;
  return std::move(items.items());
}

Value text_result(Runtime& runtime, std::string_view bytes, bool markup) {
  if (!runtime.room_for_text(bytes.size())) return Value::error();
  return runtime.string(bytes).as_markup(markup);
}

}  // namespace capwright::jinja
