// Checks arguments and reports errors in them.
#include "template/builtins/extras/arguments.h"

#include <algorithm>
#include <fmt/format.h>

#include "diag/catalog/template_extras.h"
#include "diag/suggest.h"

namespace capwright::jinja::extras {

std::optional<std::string_view> string_argument(Runtime& runtime, std::string_view filter, const Value& value) {
  if (value.is(Kind::String)) return value.text();
  needs(runtime, filter, "text", value);
  return std::nullopt;
}

std::optional<std::int64_t> integer_argument(Runtime& runtime, std::string_view filter, const Value& value) {
  runtime.look_at(value);
  if (value.is(Kind::Int)) return value.as_int();
  if (value.is(Kind::Bool)) return value.as_bool() ? 1 : 0;
  needs(runtime, filter, "a whole number", value);
  return std::nullopt;
}

bool is_sequence(Runtime& runtime, const Value& value) {
  return value.is(Kind::List) || (value.is(Kind::Object) && runtime.type_name(value) == "range");
}

bool is_null_word(const Value& value) {
  return value.is(Kind::Null) || (value.is(Kind::String) && (value.text() == "None" || value.text() == "null"));
}

std::string shown(const Value& argument, std::string_view text) {
  return argument.tainted() ? "<secret>" : std::string(text);
}

Value needs(Runtime& runtime, std::string_view filter, std::string_view expected, const Value& found) {
  if (!runtime.usable(found)) return Value::error();
  return runtime.fail(diag::filter_wrong_type, filter, expected, runtime.type_name(found));
}

Value unknown_option(Runtime& runtime, std::string_view filter, std::string_view what, std::string_view text,
                     std::span<const std::string_view> known) {
  if (Diagnostic* fault = runtime.report(diag::filter_unknown_option, runtime.here, filter, what, text)) {
    fault->note(fmt::format("it supports {}", list_names(known, known.size())));
    const std::string help = did_you_mean(text, known);
    if (!help.empty()) fault->advise(help);
  }
  return Value::error();
}

std::optional<std::size_t> choice(Runtime& runtime, std::string_view filter, std::string_view what, const Value& value,
                                  std::span<const std::string_view> known) {
  const Value text = text_of(runtime, value);
  if (text.is_error()) return std::nullopt;
  runtime.look_at(text);
  const auto found = std::find(known.begin(), known.end(), text.text());
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  unknown_option(runtime, filter, what, shown(text), known);
  return std::nullopt;
}

}  // namespace capwright::jinja::extras
