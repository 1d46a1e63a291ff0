// Shell patterns as the library matches them.
#include <algorithm>

#include "envsubst/operations.h"
#include "text/utf8.h"

namespace capwright::envsubst {
namespace {

// Takes the stars at the start of `pattern`, then everything up to the next star. Returns whether there were stars.
bool take_part(std::string_view& pattern, std::string_view& part) {
  const std::size_t stars = std::min(pattern.find_first_not_of('*'), pattern.size());
  pattern.remove_prefix(stars);
  bool in_class = false;
  std::size_t end = 0;
  for (; end < pattern.size() && (in_class || pattern[end] != '*'); ++end) {
    if (pattern[end] == '[') in_class = true;
    else if (pattern[end] == ']') in_class = false;
    else if (pattern[end] == '\\' && end + 1 < pattern.size()) ++end;
  }
  part = pattern.substr(0, end);
  pattern.remove_prefix(end);
  return stars != 0;
}

// A character of a class. Something must follow it: at least the `]`.
bool take_class_character(std::string_view& part, char32_t& c) {
  if (part.empty() || part[0] == '-' || part[0] == ']') return false;
  if (part[0] == '\\') part.remove_prefix(1);
  if (part.empty()) return false;
  const utf8::CodePoint next = utf8::decode(part, 0);
  c = next.value;
  part.remove_prefix(next.size);
  return !part.empty() && !(next.value == 0xfffd && next.size == 1);
}

// After `[`, up to and with `]`.
Match take_class(std::string_view& part, char32_t c) {
  const bool negated = !part.empty() && part[0] == '^';
  if (negated) part.remove_prefix(1);
  bool is_member = false;
  for (bool first = true; first || part.empty() || part[0] != ']'; first = false) {
    char32_t low = 0, high = 0;
    if (!take_class_character(part, low)) return Match::BadPattern;
    high = low;
    if (part[0] == '-') {
      part.remove_prefix(1);
      if (!take_class_character(part, high)) return Match::BadPattern;
    }
    is_member = is_member || (low <= c && c <= high);
  }
  part.remove_prefix(1);
  return is_member != negated ? Match::Yes : Match::No;
}

// Matches a part without stars at the start of `text`, and takes the matched bytes. A malformed part is only noticed if
// the text reaches it.
Match take_match(std::string_view part, std::string_view& text) {
  while (!part.empty()) {
    if (text.empty()) return Match::No;
    const char c = part[0];
    if (c == '[' || c == '?') {
      const utf8::CodePoint next = utf8::decode(text, 0);
      text.remove_prefix(next.size);
      part.remove_prefix(1);
      const Match in_class = c == '[' ? take_class(part, next.value) : Match::Yes;
      if (in_class != Match::Yes) return in_class;
      continue;
    }
    if (c == '\\') part.remove_prefix(1);
    if (part.empty()) return Match::BadPattern;
    if (part[0] != text[0]) return Match::No;
    part.remove_prefix(1);
    text.remove_prefix(1);
  }
  return Match::Yes;
}

}  // namespace

Match match_pattern(std::string_view pattern, std::string_view text) {
  while (!pattern.empty()) {
    std::string_view part;
    const bool star = take_part(pattern, part);
    if (star && part.empty()) return Match::Yes;
    const bool is_last = pattern.empty();
    bool matched = false;
    for (std::size_t skipped = 0; !matched && skipped <= (star ? text.size() : 0); ++skipped) {
      std::string_view rest = text.substr(skipped);
      const Match here = take_match(part, rest);
      if (here == Match::BadPattern) return here;
      matched = here == Match::Yes && (!is_last || rest.empty());
      if (matched) text = rest;
      if (matched) break;
    }
    if (!matched) return Match::No;
  }
  return text.empty() ? Match::Yes : Match::No;
}

}  // namespace capwright::envsubst
