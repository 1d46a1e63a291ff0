// Kubernetes' escapes of property names.
#include <algorithm>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "cel/structural_schema.h"

namespace capwright::cel {
namespace {

// https://kubernetes.io/docs/reference/using-api/cel/#escaping
constexpr std::string_view kReserved[] = {"as",       "break",   "const",  "continue", "else", "false", "for",
                                          "function", "if",      "import", "in",       "let",  "loop",  "namespace",
                                          "null",     "package", "return", "true",     "var",  "void",  "while"};

constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
    {"__", "__underscores__"}, {".", "__dot__"}, {"-", "__dash__"}, {"/", "__slash__"}};

// The end of `__word__` that starts at `at`, where word has no underscore; npos if there is none.
std::size_t escape_end(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != "__") return std::string_view::npos;
  const std::size_t word_end = text.find('_', at + 2);
  if (word_end == std::string_view::npos || word_end == at + 2 || text.substr(word_end, 2) != "__") {
    return std::string_view::npos;
  }
  return word_end + 2;
}

}  // namespace

bool is_reserved(std::string_view word) {
  return std::find(std::begin(kReserved), std::end(kReserved), word) != std::end(kReserved);
}

bool escape(std::string_view name, std::string& escaped) {
  escaped.clear();
  if (name.empty() || is_digit(name[0])) return false;
  if (is_reserved(name)) {
    escaped = "__" + std::string(name) + "__";
    return true;
  }
  for (std::size_t i = 0; i < name.size();) {
    const auto found = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                    [&](const auto& pair) { return name.substr(i, pair.first.size()) == pair.first; });
    if (found != std::end(kEscapes)) {
      escaped += found->second;
      i += found->first.size();
    } else if (is_letter(name[i]) || is_digit(name[i]) || name[i] == '_') {
      escaped += name[i++];
    } else {
      escaped.clear();
      return false;
    }
  }
  return true;
}

bool unescape(std::string_view escaped, std::string& name) {
  name.clear();
  for (std::size_t i = 0; i < escaped.size();) {
    const std::size_t end = escape_end(escaped, i);
    if (end == std::string_view::npos) {
      name += escaped[i++];
      continue;
    }
    const std::string_view whole = escaped.substr(i, end - i);
    const auto found =
        std::find_if(std::begin(kEscapes), std::end(kEscapes), [&](const auto& pair) { return pair.second == whole; });
    const std::string_view word = whole.substr(2, whole.size() - 4);
    if (found != std::end(kEscapes)) name += found->first;
    else if (is_reserved(word) && whole.size() == escaped.size()) name += word;
    else return false;
    i = end;
  }
  return true;
}

}  // namespace capwright::cel
