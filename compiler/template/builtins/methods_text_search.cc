// str methods that search text: find, index, count, startswith, endswith. Positions are in code points.
#include "template/builtins/operands.h"
#include "text/search.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// The part of a text between `start` and `end`, and the number of code points before it.
struct Window {
  std::string_view text;
  std::size_t skipped = 0;
};

// Empty if a bound is invalid (reported) or `start` is past the end, where nothing matches (not reported).
std::optional<Window> window(Runtime& runtime, const BoundArguments& arguments) {
  const std::string_view text = arguments[0].text();
  if (!arguments.given(2) && !arguments.given(3)) return Window{text, 0};
  const auto range = slice_bounds(runtime, arguments[2], arguments[3], utf8::length(text));
  if (!range || range->begin > range->end) return std::nullopt;
  return Window{utf8::slice(text, range->begin, range->end), range->begin};
}

// The position of `sub`, -1 if there is none; empty if an error is reported.
std::optional<std::int64_t> position(Runtime& runtime, const BoundArguments& arguments, bool last) {
  if (!arguments[1].is(Kind::String)) {
    if (runtime.usable(arguments[1])) {
      wrong_type(runtime, "must be str, not " + std::string(runtime.type_name(arguments[1])));
    }
    return std::nullopt;
  }
  const auto failures = runtime.failures();
  const auto in = window(runtime, arguments);
  if (runtime.failures() != failures) return std::nullopt;
  if (!in) return -1;
  const std::string_view sub = arguments[1].text();
  const std::size_t found = last ? BackwardSearch(in->text, sub).before(in->text.size()) : find_text(in->text, sub);
  if (found == std::string_view::npos) return -1;
  return static_cast<std::int64_t>(in->skipped + utf8::length(in->text.substr(0, found)));
}

Value found_or_minus_one(Runtime& runtime, const BoundArguments& arguments, bool last) {
  const auto index = position(runtime, arguments, last);
  return index ? Value::integer(*index) : Value::error();
}

Value found_or_fault(Runtime& runtime, const BoundArguments& arguments, bool last) {
  const auto index = position(runtime, arguments, last);
  if (!index) return Value::error();
  return *index >= 0 ? Value::integer(*index) : wrong_value(runtime, "substring not found");
}

enum class Side : std::uint8_t { Start, End };

Value has_affix(Runtime& runtime, const BoundArguments& arguments, Side side) {
  const std::string_view name = side == Side::Start ? "startswith" : "endswith";
  const Value& wanted = arguments[1];
  const bool several = wanted.is(Kind::List) && wanted.is_tuple();
  const std::span<const Value> affixes = several ? wanted.items() : std::span(&wanted, 1);
  for (const Value& affix : affixes) {
    if (affix.is(Kind::String)) continue;
    if (!runtime.usable(affix)) return Value::error();
    const std::string type(runtime.type_name(affix));
    return wrong_type(runtime, several ? "tuple for " + std::string(name) + " must only contain str, not " + type
                                       : std::string(name) + " first arg must be str or a tuple of str, not " + type);
  }
  const auto failures = runtime.failures();
  const auto in = window(runtime, arguments);
  if (runtime.failures() != failures) return Value::error();
  for (const Value& affix : affixes) {
    if (in && (side == Side::Start ? in->text.starts_with(affix.text()) : in->text.ends_with(affix.text()))) {
      return Value::boolean(true);
    }
  }
  return Value::boolean(false);
}

}  // namespace

Value text_find(Runtime& runtime, const BoundArguments& arguments) {
  return found_or_minus_one(runtime, arguments, false);
}
Value text_rfind(Runtime& runtime, const BoundArguments& arguments) {
  return found_or_minus_one(runtime, arguments, true);
}
Value text_index(Runtime& runtime, const BoundArguments& arguments) {
  return found_or_fault(runtime, arguments, false);
}
Value text_rindex(Runtime& runtime, const BoundArguments& arguments) {
  return found_or_fault(runtime, arguments, true);
}

Value text_startswith(Runtime& runtime, const BoundArguments& arguments) {
  return has_affix(runtime, arguments, Side::Start);
}
Value text_endswith(Runtime& runtime, const BoundArguments& arguments) {
  return has_affix(runtime, arguments, Side::End);
}

Value text_count(Runtime& runtime, const BoundArguments& arguments) {
  const auto sub = text_argument(runtime, arguments[1], "count() argument 1");
  if (!sub) return Value::error();
  const auto failures = runtime.failures();
  const auto in = window(runtime, arguments);
  if (runtime.failures() != failures) return Value::error();
  if (!in) return Value::integer(0);
  if (sub->empty()) return Value::integer(static_cast<std::int64_t>(utf8::length(in->text)) + 1);
  std::int64_t count = 0;
  for (std::size_t at = find_text(in->text, *sub); at != std::string_view::npos;
       at = find_text(in->text, *sub, at + sub->size())) {
    ++count;
  }
  return Value::integer(count);
}

}  // namespace capwright::jinja
