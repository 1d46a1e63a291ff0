// str methods on single characters: case conversions and is…() predicates.
#include "template/builtins/operands.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::jinja {
namespace {

Value converted(Runtime& runtime, const Value& self, std::string (*convert)(std::string_view)) {
  // A character becomes at most three.
  if (!runtime.step(1 + self.text().size() / 64)) return Value::error();
  return text_result(runtime, convert(self.text()), self.is_markup());
}

template <class Predicate>
bool every_character(std::string_view text, Predicate holds) {
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    if (!holds(point.value)) return false;
    i += point.size;
  }
  return true;
}

template <class Predicate>
Value not_empty_and_every(const BoundArguments& arguments, Predicate holds) {
  const std::string_view text = arguments[0].text();
  return Value::boolean(!text.empty() && every_character(text, holds));
}

// At least one character has the wanted case, and none another.
template <class Wanted, class Unwanted>
Value in_case(const BoundArguments& arguments, Wanted wanted, Unwanted unwanted) {
  bool some = false;
  const bool none_else = every_character(arguments[0].text(), [&](char32_t c) {
    some = some || wanted(c);
    return !unwanted(c);
  });
  return Value::boolean(some && none_else);
}

}  // namespace

Value text_capitalize(Runtime& runtime, const BoundArguments& arguments) {
  return converted(runtime, arguments[0], unicode::capitalize);
}
Value text_casefold(Runtime& runtime, const BoundArguments& arguments) {
  return converted(runtime, arguments[0], unicode::casefold);
}
Value text_lower(Runtime& runtime, const BoundArguments& arguments) {
  return converted(runtime, arguments[0], unicode::lower);
}
Value text_swapcase(Runtime& runtime, const BoundArguments& arguments) {
  return converted(runtime, arguments[0], unicode::swapcase);
}
Value text_title(Runtime& runtime, const BoundArguments& arguments) {
  return converted(runtime, arguments[0], unicode::title);
}
Value text_upper(Runtime& runtime, const BoundArguments& arguments) {
  return converted(runtime, arguments[0], unicode::upper);
}

Value text_isalnum(Runtime&, const BoundArguments& arguments) {
  return not_empty_and_every(arguments, unicode::is_alnum);
}
Value text_isalpha(Runtime&, const BoundArguments& arguments) {
  return not_empty_and_every(arguments, unicode::is_alpha);
}
Value text_isascii(Runtime&, const BoundArguments& arguments) {
  return Value::boolean(utf8::is_ascii(arguments[0].text()));
}
Value text_isdecimal(Runtime&, const BoundArguments& arguments) {
  return not_empty_and_every(arguments, unicode::is_decimal);
}
Value text_isdigit(Runtime&, const BoundArguments& arguments) {
  return not_empty_and_every(arguments, unicode::is_digit);
}
Value text_isnumeric(Runtime&, const BoundArguments& arguments) {
  return not_empty_and_every(arguments, unicode::is_numeric);
}
Value text_isspace(Runtime&, const BoundArguments& arguments) {
  return not_empty_and_every(arguments, unicode::is_space);
}
Value text_isprintable(Runtime&, const BoundArguments& arguments) {
  return Value::boolean(every_character(arguments[0].text(), unicode::is_printable));
}
Value text_isidentifier(Runtime&, const BoundArguments& arguments) {
  const std::string_view text = arguments[0].text();
  if (text.empty() || !unicode::is_identifier_start(utf8::decode(text, 0).value)) return Value::boolean(false);
  return Value::boolean(every_character(text, unicode::is_identifier_part));
}

Value text_islower(Runtime&, const BoundArguments& arguments) {
  return in_case(arguments, unicode::is_lower, [](char32_t c) { return unicode::is_upper(c) || unicode::is_title(c); });
}
Value text_isupper(Runtime&, const BoundArguments& arguments) {
  return in_case(arguments, unicode::is_upper, [](char32_t c) { return unicode::is_lower(c) || unicode::is_title(c); });
}
Value text_istitle(Runtime&, const BoundArguments& arguments) {
  bool some = false, after_cased = false;
  const bool holds = every_character(arguments[0].text(), [&](char32_t c) {
    const bool starts = unicode::is_upper(c) || unicode::is_title(c);
    const bool continues = !starts && unicode::is_lower(c);
    if (starts ? after_cased : continues && !after_cased) return false;
    after_cased = starts || continues;
    some = some || after_cased;
    return true;
  });
  return Value::boolean(some && holds);
}

}  // namespace capwright::jinja
