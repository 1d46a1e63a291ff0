// See scalar_text.h: one pass over the characters, after the analysis of libyaml 0.2.5.
#include "yaml/characters.h"
#include "yaml/scalar_text.h"

namespace capwright::yaml {
namespace {

constexpr std::string_view kNeverFirst = "#,[]{}&*!|>'\"%@`";
constexpr std::string_view kNeverInFlow = ",?[]{}";

bool contains(std::string_view set, char32_t c) {
  return c < 0x80 && set.find(static_cast<char>(c)) != std::string_view::npos;
}
bool is_blank_or_end(std::string_view text, std::uint32_t at) {
  if (at >= text.size()) return true;
  const char32_t c = character_at(text, at).code;
  return c == ' ' || c == '\t' || c == 0 || is_break(c);
}

struct Indicators {
  bool block = false;
  bool flow = false;
};

// Characters with a special meaning at this position of an unquoted text.
void look_for_indicators(std::string_view text, std::uint32_t at, Character character, Indicators& found) {
  const char32_t c = character.code;
  const bool before_blank = is_blank_or_end(text, at + character.size);
  if (at == 0) {
    if (contains(kNeverFirst, c) || (c == '-' && before_blank)) found.block = found.flow = true;
    if (c == '?' || c == ':') {
      found.flow = true;
      found.block = found.block || before_blank;
    }
    return;
  }
  if (contains(kNeverInFlow, c)) found.flow = true;
  if (c == ':') {
    found.flow = true;
    found.block = found.block || before_blank;
  }
  const bool after_blank = text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n';
  if (c == '#' && after_blank) found.block = found.flow = true;
}

}  // namespace

bool is_break(char32_t c) { return c == '\n' || c == '\r' || c == 0x85 || c == 0x2028 || c == 0x2029; }

bool is_printable(char32_t c) {
  return c == '\n' || (c >= 0x20 && c <= 0x7e) || (c >= 0xa0 && c <= 0xd7ff) ||
         (c >= 0xe000 && c <= 0xfffd && c != 0xfeff);
}

ScalarShape shape_of(std::string_view text, bool allow_unicode) {
  ScalarShape shape;
  if (text.empty()) {
    shape.plain_in_flow = false;
    return shape;
  }
  Indicators indicators;
  indicators.block = indicators.flow = text.starts_with("---") || text.starts_with("...");
  bool special = false, break_then_space = false, space_then_break = false;
  char32_t previous = 0;
  for (std::uint32_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    const char32_t c = character.code;
    look_for_indicators(text, at, character, indicators);
    if (!is_printable(c) || (c > 0x7f && !allow_unicode)) special = true;
    if (is_break(c)) {
      shape.multiline = true;
      if (previous == ' ') space_then_break = true;
    } else if (c == ' ' && is_break(previous)) {
      break_then_space = true;
    }
    previous = c;
    at += character.size;
  }
  const char32_t first = character_at(text, 0).code;
  const bool outer_space = first == ' ' || is_break(first) || previous == ' ' || is_break(previous);
  shape.single_quoted = !special && !space_then_break && !break_then_space;
  const bool plain = shape.single_quoted && !outer_space && !shape.multiline;
  shape.plain_in_flow = plain && !indicators.flow;
  shape.plain_in_block = plain && !indicators.block;
  return shape;
}

}  // namespace capwright::yaml
