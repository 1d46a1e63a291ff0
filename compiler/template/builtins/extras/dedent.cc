// `dedent`: removes the common margin of all lines, like Python's textwrap.dedent. Every byte keeps its origin.
#include <algorithm>
#include <optional>

#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"

namespace capwright::jinja {
namespace {

struct Line {
  std::size_t begin = 0;  // of the line
  std::size_t text = 0;   // after its blanks
  std::size_t end = 0;    // before its line break
};

// The line that starts at `begin`.
Line line_at(std::string_view text, std::size_t begin) {
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return {begin, std::min(text.find_first_not_of(" \t", begin), end), end};
}

// Blanks at the start of every line that has more than blanks.
std::string_view margin_of(std::string_view text) {
  std::optional<std::string_view> margin;
  for (std::size_t at = 0; at <= text.size();) {
    const Line line = line_at(text, at);
    if (line.text < line.end) {
      const std::string_view indent = text.substr(line.begin, line.text - line.begin);
      const auto split =
          std::mismatch(indent.begin(), indent.end(), margin.value_or(indent).begin(), margin.value_or(indent).end());
      margin = indent.substr(0, static_cast<std::size_t>(split.first - indent.begin()));
    }
    at = line.end + 1;
  }
  return margin.value_or("");
}

}  // namespace

Value dedent_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto text = extras::string_argument(runtime, "dedent", arguments[0]);
  if (!text) return Value::error();
  const std::size_t margin = margin_of(*text).size();
  MappedText out;
  const auto append = [&](std::size_t begin, std::size_t end) {
    if (begin < end) runtime.append(out, runtime.substring(arguments[0], begin, end));
  };
  for (std::size_t at = 0; at < text->size() && runtime.step();) {
    const Line line = line_at(*text, at);
    const std::size_t next = std::min(line.end + 1, text->size());
    append(line.text == line.end ? line.end : line.begin + margin, next);
    at = next;
  }
  return runtime.stopped() ? Value::error() : runtime.mapped_string(out);
}

}  // namespace capwright::jinja
