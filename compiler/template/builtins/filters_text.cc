// Filters that derive text from text: case, padding, truncation, replacement, formatting, counting.
#include "diag/catalog/template_builtins.h"
#include "template/builtins/methods.h"
#include "template/builtins/operands.h"
#include "template/builtins/text_parts.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

// Calls a str method on the operand as text.
Value by_method(Runtime& runtime, const Value& operand, std::string_view method,
                std::span<const Value> arguments = {}) {
  const Value text = text_of(runtime, operand);
  if (text.is_error()) return text;
  return *call_method(runtime, text, Identifier{method, hash_text(method), runtime.here}, {arguments, {}});
}

// Characters after which `title` starts a new word.
bool separates_words(char32_t c) {
  return c == '-' || c == '(' || c == '{' || c == '[' || c == '<' || unicode::is_space(c);
}

void append_titled(std::string& out, std::string_view word) {
  if (word.empty()) return;
  const utf8::CodePoint first = utf8::decode(word, 0);
  unicode::append_upper(out, first.value);
  out += unicode::lower(word.substr(first.size));
}

// Validated arguments of `truncate`.
struct Truncation {
  std::int64_t length;
  std::int64_t leeway;
  bool kill_words;
  std::string_view end;
};

std::optional<Truncation> truncation(Runtime& runtime, const BoundArguments& arguments) {
  constexpr std::int64_t kDefaultLeeway = 5;
  const auto length = index_argument(runtime, arguments[1]);
  const auto kill_words = truth_of(runtime, arguments[2]);
  if (!length || !kill_words) return std::nullopt;
  const auto end = text_argument(runtime, arguments[3], "`end`");
  if (!end) return std::nullopt;
  const auto leeway =
      arguments[4].is(Kind::Null) ? std::optional(kDefaultLeeway) : index_argument(runtime, arguments[4]);
  if (!leeway) return std::nullopt;
  const auto end_length = static_cast<std::int64_t>(utf8::length(*end));
  if (*length < end_length) {
    wrong_value(runtime, "expected length >= " + std::to_string(end_length) + ", got " + std::to_string(*length));
    return std::nullopt;
  }
  if (*leeway < 0) {
    wrong_value(runtime, "expected leeway >= 0, got " + std::to_string(*leeway));
    return std::nullopt;
  }
  return Truncation{*length, *leeway, *kill_words, *end};
}

}  // namespace

Value capitalize_filter(Runtime& runtime, const BoundArguments& arguments) {
  return by_method(runtime, arguments[0], "capitalize");
}
Value lower_filter(Runtime& runtime, const BoundArguments& arguments) {
  return by_method(runtime, arguments[0], "lower");
}
Value upper_filter(Runtime& runtime, const BoundArguments& arguments) {
  return by_method(runtime, arguments[0], "upper");
}
Value center_filter(Runtime& runtime, const BoundArguments& arguments) {
  return by_method(runtime, arguments[0], "center", std::span(&arguments[1], 1));
}

Value title_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value operand = text_of(runtime, arguments[0]);
  if (operand.is_error()) return operand;
  const std::string_view text = operand.text();
  std::string out;
  std::size_t word = 0;
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    if (separates_words(point.value)) {
      append_titled(out, text.substr(word, i - word));
      out += text.substr(i, point.size);
      word = i + point.size;
    }
    i += point.size;
  }
  append_titled(out, text.substr(word));
  return text_result(runtime, out);
}

Value truncate_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& s = arguments[0];
  const auto how = truncation(runtime, arguments);
  if (!how) return Value::error();
  const auto length = runtime.length(s);
  if (!length) return Value::error();
  if (*length <= static_cast<std::uint64_t>(how->length) + static_cast<std::uint64_t>(how->leeway)) return s;
  if (!s.is(Kind::String))
    return wrong_type(runtime, "`truncate` can't cut '" + std::string(runtime.type_name(s)) + "'");
  std::string_view kept = utf8::slice(s.text(), 0, static_cast<std::size_t>(how->length) - utf8::length(how->end));
  if (!how->kill_words) {
    const std::size_t space = kept.rfind(' ');
    if (space != std::string_view::npos) kept = kept.substr(0, space);
  }
  const std::string end = s.is_markup() ? std::string(runtime.escape(arguments[3]).text()) : std::string(how->end);
  return text_result(runtime, std::string(kept) + end, s.is_markup());
}

Value replace_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto count =
      arguments[3].is(Kind::Null) ? std::optional<std::int64_t>(-1) : index_argument(runtime, arguments[3]);
  if (!count) return Value::error();
  const Value from = text_of(runtime, arguments[1]);
  const Value to = text_of(runtime, arguments[2]);
  Value s = text_of(runtime, arguments[0]);
  if (s.is_error() || from.is_error() || to.is_error()) return Value::error();
  if (!runtime.autoescape) return replace_text(runtime, s.as_markup(false), from.text(), to.text(), *count);
  if (from.is_markup() || to.is_markup()) s = runtime.escape(s);
  const Value inserted = s.is_markup() ? runtime.escape(to) : to;
  return replace_text(runtime, s, from.text(), inserted.text(), *count).as_markup(s.is_markup());
}

Value format_filter(Runtime& runtime, const BoundArguments& arguments) {
  if (!arguments.rest.empty() && !arguments.rest_keywords.empty()) {
    return runtime.fail(diag::bad_argument, "format", "takes positional or named arguments, not both");
  }
  const Value format = text_of(runtime, arguments[0]);
  if (format.is_error()) return format;
  if (arguments.rest_keywords.empty()) return format_percent(runtime, format, runtime.tuple(arguments.rest));
  const Value names = runtime.dict();
  for (const KeywordArgument& keyword : arguments.rest_keywords) {
    if (!runtime.set_item(names, runtime.name_of(keyword), keyword.value)) return Value::error();
  }
  return format_percent(runtime, format, names);
}

Value wordcount_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value text = text_of(runtime, arguments[0]);
  if (text.is_error()) return text;
  std::int64_t words = 0;
  bool inside = false;
  for (std::size_t i = 0; i < text.text().size();) {
    const utf8::CodePoint point = utf8::decode(text.text(), i);
    const bool is_word = unicode::is_word(point.value);
    if (is_word && !inside) ++words;
    inside = is_word;
    i += point.size;
  }
  return Value::integer(words);
}

}  // namespace capwright::jinja
