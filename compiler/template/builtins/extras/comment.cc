// `comment`: wraps text in comment marks, as Ansible decorates it.
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>

#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"

namespace capwright::jinja {
namespace {

struct CommentStyle {
  std::string beginning;
  std::string prefix;
  std::string decoration;
  std::string postfix;
  std::string end;
  std::string newline = "\n";
  std::uint64_t prefix_count = 1;
  std::uint64_t postfix_count = 1;
};

constexpr std::array<std::string_view, 5> kStyles{"plain", "erlang", "c", "cblock", "xml"};
constexpr std::array<std::string_view, 8> kOptions{"newline",    "beginning", "prefix",        "prefix_count",
                                                   "decoration", "postfix",   "postfix_count", "end"};

CommentStyle style_named(std::size_t index) {
  CommentStyle style;
  switch (index) {
    case 0: style.decoration = "# "; break;
    case 1: style.decoration = "% "; break;
    case 2: style.decoration = "// "; break;
    case 3: style.beginning = "/*", style.decoration = " * ", style.end = " */"; break;
    default: style.beginning = "<!--", style.decoration = " - ", style.end = "-->"; break;
  }
  return style;
}

std::string without_trailing_space(std::string_view text) {
  return std::string(text.substr(0, text.find_last_not_of(" \t\n\r\v\f") + 1));
}

bool read_count(Runtime& runtime, const Value& value, std::uint64_t& count) {
  const auto number = extras::integer_argument(runtime, "comment", value);
  if (!number) return false;
  count = static_cast<std::uint64_t>(std::max<std::int64_t>(*number, 0));
  return true;
}

bool apply_option(Runtime& runtime, std::string_view name, const Value& value, CommentStyle& style) {
  if (name == "prefix_count") return read_count(runtime, value, style.prefix_count);
  if (name == "postfix_count") return read_count(runtime, value, style.postfix_count);
  const Value text = text_of(runtime, value);
  if (text.is_error()) return false;
  std::string* const fields[] = {&style.newline,    &style.beginning, &style.prefix, nullptr,
                                 &style.decoration, &style.postfix,   nullptr,       &style.end};
  const auto option = std::find(kOptions.begin(), kOptions.end(), name);
  if (option == kOptions.end()) {
    extras::unknown_option(runtime, "comment", "argument", name, kOptions);
    return false;
  }
  fields[option - kOptions.begin()]->assign(text.text());
  return true;
}

// The style with the template's options; missing ones are derived from the decoration.
std::optional<CommentStyle> style_of(Runtime& runtime, const BoundArguments& arguments) {
  const auto named = extras::choice(runtime, "comment", "style", arguments[1], kStyles);
  if (!named) return std::nullopt;
  CommentStyle style = style_named(*named);
  const auto options = arguments.rest_keywords;
  for (const KeywordArgument& option : options) {
    if (option.name.text == "decoration" && !apply_option(runtime, "decoration", option.value, style))
      return std::nullopt;
  }
  style.prefix = style.postfix = without_trailing_space(style.decoration);
  for (const KeywordArgument& option : options) {
    if (!apply_option(runtime, option.name.text, option.value, style)) return std::nullopt;
  }
  if (!style.newline.empty()) return style;
  extras::unknown_option(runtime, "comment", "newline", "", std::array<std::string_view, 2>{"\\n", "\\r\\n"});
  return std::nullopt;
}

// `text` with every `from` (not empty) replaced.
std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  for (std::size_t found = text.find(from); found != std::string_view::npos; found = text.find(from)) {
    out.append(text.substr(0, found)).append(to);
    text.remove_prefix(found + from.size());
  }
  return out.append(text);
}

// An upper bound for the size of decorate()'s result, or the largest number.
std::uint64_t decorated_size(std::string_view text, const CommentStyle& style) {
  const std::uint64_t around = (style.prefix.size() + style.postfix.size() + style.newline.size() * 2) | 1;
  const std::uint64_t repeats = style.prefix_count | style.postfix_count;
  if (repeats > std::numeric_limits<std::uint32_t>::max()) return std::numeric_limits<std::uint64_t>::max();
  return text.size() * (1 + style.decoration.size()) + repeats * around + style.beginning.size() + style.end.size();
}

std::string decorate(std::string_view text, const CommentStyle& style) {
  std::string out;
  if (!style.beginning.empty()) out += style.beginning + style.newline;
  if (!style.prefix.empty()) {
    const std::string line = style.prefix == style.newline ? style.newline : style.prefix + style.newline;
    for (std::uint64_t i = 0; i < style.prefix_count; ++i) out += line;
  }
  const std::string lines = style.decoration + replaced(text, style.newline, style.newline + style.decoration);
  // A line with only the decoration ends without a space.
  out += replaced(lines, style.decoration + style.newline, without_trailing_space(style.decoration) + style.newline);
  for (std::uint64_t i = 0; i < style.postfix_count; ++i) out += style.newline + style.postfix;
  if (!style.end.empty()) out += style.newline + style.end;
  return out;
}

}  // namespace

Value comment_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto text = extras::string_argument(runtime, "comment", arguments[0]);
  const auto style = text ? style_of(runtime, arguments) : std::nullopt;
  if (!style || !runtime.room_for_text(decorated_size(*text, *style))) return Value::error();
  return runtime.string(decorate(*text, *style));
}

}  // namespace capwright::jinja
