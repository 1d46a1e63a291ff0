// Filters that change only the layout of text: the bytes that they keep also keep their map.
#include <algorithm>

#include "template/builtins/attribute_path.h"
#include "template/builtins/operands.h"
#include "template/builtins/text_parts.h"

namespace capwright::jinja {
namespace {

// The text that `indent` puts before each line; empty if an error is reported.
std::optional<std::string> indentation(Runtime& runtime, const Value& width) {
  if (width.is(Kind::String)) return std::string(width.text());
  const auto count = index_argument(runtime, width);
  if (!count) return std::nullopt;
  if (*count <= 0) return std::string();
  if (!runtime.room_for_text(static_cast<std::uint64_t>(*count))) return std::nullopt;
  return std::string(static_cast<std::size_t>(*count), ' ');
}

Value not_text(Runtime& runtime, const Value& operand) {
  if (operand.is(Kind::Undefined)) return runtime.fail_undefined(operand);
  return wrong_type(runtime, "`indent` works on text, not on '" + std::string(runtime.type_name(operand)) + "'");
}

struct Indent {
  std::string_view text;
  Segment maker;  // of `text`
  bool first;
  bool blank;  // also indent lines without text
};

// All lines of `s`, including an empty one after a final line break, joined by "\n" and indented. A line break keeps
// its place in the map; the origin of the indentation is only the width.
bool append_indented(Runtime& runtime, const Value& s, const Indent& indent, MappedText& out) {
  const std::string_view text = s.text();
  std::size_t line = 0;
  LineEnd end{0, 0};
  for (bool is_first = true, more = true; more; is_first = false) {
    if (!is_first && text.substr(end.end, end.next - end.end) == "\n") {
      runtime.append_part(out, s, end.end, end.next);
    } else if (!is_first) {
      out.append("\n", Runtime::segment_of(s));
    }
    end = line_end(text, line);
    if (is_first ? indent.first : indent.blank || end.end > line) out.append(indent.text, indent.maker);
    runtime.append_part(out, s, line, end.end);
    if (!runtime.step() || !runtime.room_for_text(out.size())) return false;
    // Jinja2 appends a "\n" before it splits: no line follows a carriage return at the very end.
    more = end.next > end.end && !(end.next == text.size() && text.back() == '\r');
    line = end.next;
  }
  return true;
}

// join() without autoescape: all values become plain text.
Value join_plain(Runtime& runtime, const std::vector<Value>& items, const Value& separator) {
  TextJoiner joiner(runtime, separator);
  for (const Value& item : items) {
    if (!joiner.add(text_of(runtime, item))) return Value::error();
  }
  return joiner.text().as_markup(false);
}

// join() under autoescape: Markup if the separator or an item is; then the others are escaped.
Value join_escaping(Runtime& runtime, const std::vector<Value>& items, const Value& separator) {
  const bool markup = is_html(separator) || std::any_of(items.begin(), items.end(), is_html);
  if (!markup) return join_plain(runtime, items, separator);
  const Value escaped = runtime.escape(separator);
  TextJoiner joiner(runtime, escaped);
  for (const Value& item : items) {
    if (!runtime.usable(item) || !joiner.add(runtime.escape(item))) return Value::error();
  }
  return joiner.text().as_markup();
}

}  // namespace

Value indent_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& s = arguments[0];
  const auto first = truth_of(runtime, arguments[2]);
  const auto blank = truth_of(runtime, arguments[3]);
  if (!first || !blank) return Value::error();
  const auto width = indentation(runtime, arguments[1]);
  if (!width) return Value::error();
  if (!s.is(Kind::String)) return not_text(runtime, s);
  MappedText out;
  if (!append_indented(runtime, s, {*width, Runtime::segment_of(arguments[1]), *first, *blank}, out))
    return Value::error();
  return runtime.derived(runtime.mapped_string(out), s, arguments[1]).as_markup(s.is_markup());
}

Value join_filter(Runtime& runtime, const BoundArguments& arguments) {
  auto items = items_of(runtime, arguments[0]);
  if (!items) return Value::error();
  if (!arguments[2].is(Kind::Null)) {
    const AttributePath path(runtime, arguments[2]);
    for (Value& item : *items) item = path.of(item);
  }
  if (!runtime.usable(arguments[1])) return Value::error();
  if (runtime.autoescape) return join_escaping(runtime, *items, arguments[1]);
  const Value separator = text_of(runtime, arguments[1]);
  return separator.is_error() ? separator : join_plain(runtime, *items, separator);
}

Value string_filter(Runtime& runtime, const BoundArguments& arguments) { return text_of(runtime, arguments[0]); }

Value trim_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value text = text_of(runtime, arguments[0]);
  if (text.is_error()) return text;
  return strip_text(runtime, text, arguments[1], Sides::Both, "strip");
}

Value safe_filter(Runtime& runtime, const BoundArguments& arguments) {
  return text_of(runtime, arguments[0]).as_markup();
}

Value escape_filter(Runtime& runtime, const BoundArguments& arguments) { return runtime.escape(arguments[0]); }

Value forceescape_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value text = text_of(runtime, arguments[0]);
  return text.is_error() ? text : runtime.escape(text.as_markup(false));
}

}  // namespace capwright::jinja
