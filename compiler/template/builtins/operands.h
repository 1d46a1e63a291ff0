// How builtins read their arguments and create results: conversions with Python's error messages.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "template/builtins/builtin.h"
#include "template/runtime/objects.h"
#include "template/runtime/runtime.h"

namespace capwright::jinja {

// A String unchanged, other values by str(); Error if the value can't be used (undefined under StrictUndefined).
Value text_of(Runtime&, const Value&);

// The text of an argument that must be a str. Otherwise empty, and reported: "replace() argument 1 must be str, not
// int". `what` is "replace() argument 1".
std::optional<std::string_view> text_argument(Runtime&, const Value&, std::string_view what);

// A whole number where Python requires an index: int and bool. Otherwise empty, and reported.
std::optional<std::int64_t> index_argument(Runtime&, const Value&);

// A flag that Python reads as an int, such as `reverse` of sorted(); empty, and reported, for other types.
std::optional<bool> flag_argument(Runtime&, const Value&);

// Python's truth of the result of a reporting operation; empty if it failed.
std::optional<bool> truth_of(Runtime&, const Value&);

bool is_html(const Value&);  // has Python's `__html__`: Markup, objects that print HTML, a chainable undefined
bool is_text(const Value&);  // str, Markup

// An int, bool or float as a double; empty for other values, and (reported) for integers out of range.
std::optional<double> number_of(Runtime&, const Value&);

// `[begin, end)` of a sequence of `length` items, by Python's rules for negative and absent bounds: `end` is at most
// `length`; `begin` may be above both, and then not even an empty text matches.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::optional<Range> slice_bounds(Runtime&, const Value& begin, const Value& end, std::size_t length);

// A "TypeError" with Python's message; returns Error.
Value wrong_type(Runtime&, std::string message);
Value wrong_value(Runtime&, std::string message);

// Collects the items of a new list and checks the limits for each.
class ListBuilder {
 public:
  explicit ListBuilder(Runtime& runtime) : runtime_(runtime) {}
  // False, and reported, if a limit is reached.
  bool add(const Value& item);
  std::size_t size() const { return items_.size(); }
  std::vector<Value>& items() { return items_; }
  Value list() { return runtime_.list(items_); }
  Value tuple() { return runtime_.tuple(items_); }

 private:
  Runtime& runtime_;
  std::vector<Value> items_;
};

// All items of an iterable; empty, and reported, if it can't be iterated or is too long.
std::optional<std::vector<Value>> items_of(Runtime&, const Value& iterable);

// A String of `bytes` if the limit allows it; `markup` is that of the original.
Value text_result(Runtime&, std::string_view bytes, bool markup = false);

}  // namespace capwright::jinja
