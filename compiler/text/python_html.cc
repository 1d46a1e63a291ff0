// Resolves character references with HTML 5's table, and removes tags in one pass.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

#include "text/python_text.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace capwright::python {
namespace {

struct Entity {
  std::string_view name;  // with its semicolon, if one is required
  char32_t first;
  char32_t second;  // 0: the reference has one character
};

#include "text/html_entities.inc"

const Entity* find_entity(std::string_view name) {
  const auto* found = std::lower_bound(std::begin(kEntities), std::end(kEntities), name,
                                       [](const Entity& e, std::string_view wanted) { return e.name < wanted; });
  return found != std::end(kEntities) && found->name == name ? found : nullptr;
}

// HTML 5 reads &#128; … &#159; as Windows-1252.
constexpr char32_t kWindows1252[] = {0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021,
                                     0x2C6,  0x2030, 0x160,  0x2039, 0x152,  0x8D,   0x17D,  0x8F,
                                     0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                     0x2DC,  0x2122, 0x161,  0x203A, 0x153,  0x9D,   0x17E,  0x178};

// Code points that a numeric reference may not name: the reference is dropped.
bool is_forbidden(char32_t c) {
  return (c >= 0x1 && c <= 0x8) || c == 0xB || (c >= 0xE && c <= 0x1F) || (c >= 0x7F && c <= 0x9F) ||
         (c >= 0xFDD0 && c <= 0xFDEF) || (c & 0xFFFE) == 0xFFFE;
}

void append_number(std::string& out, std::uint64_t number) {
  if (number >= 0x80 && number <= 0x9F) {
    utf8::append(out, kWindows1252[number - 0x80]);
  } else if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) {
    utf8::append(out, 0xFFFD);
  } else if (number == 0xD) {
    out += '\r';
  } else if (!is_forbidden(static_cast<char32_t>(number))) {
    utf8::append(out, static_cast<char32_t>(number));
  }
}

int hex_digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 99;
}

// Reads `#123;` or `#x1f;` after the `&`. Returns the number of bytes read, or 0 if there is no valid reference.
std::size_t read_number(std::string_view text, std::string& out) {
  const bool hex = text.size() > 1 && (text[1] | 0x20) == 'x';
  const int base = hex ? 16 : 10;
  std::size_t at = hex ? 2 : 1;
  const std::size_t first = at;
  std::uint64_t number = 0;
  for (; at < text.size() && hex_digit_of(text[at]) < base; ++at) {
    number = std::min<std::uint64_t>(
        number * static_cast<unsigned>(base) + static_cast<unsigned>(hex_digit_of(text[at])), 0x110000);
  }
  if (at == first) return 0;
  append_number(out, number);
  return at < text.size() && text[at] == ';' ? at + 1 : at;
}

// Reads a name after the `&`: the longest known prefix counts.
std::size_t read_name(std::string_view text, std::string& out) {
  constexpr std::size_t kLongestName = 32;
  std::size_t size = 0;
  for (std::size_t points = 0; points < kLongestName && size < text.size(); ++points) {
    if (std::string_view("\t\n\f <&#;").find(text[size]) != std::string_view::npos) break;
    size += utf8::decode(text, size).size;
  }
  if (size < text.size() && text[size] == ';') ++size;
  for (std::size_t length = size; length > 1; --length) {
    const Entity* entity = find_entity(text.substr(0, length));
    if (entity == nullptr) continue;
    utf8::append(out, entity->first);
    if (entity->second != 0) utf8::append(out, entity->second);
    return length;
  }
  return 0;
}

// Removes `<!-- … -->` repeatedly: text joined by a removal can form another comment.
std::string without_comments(std::string_view text) {
  constexpr std::string_view kOpen = "<!--";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t kept = 0;  // bytes of the opening that are in `out` already
    for (std::size_t k = 3; k > 0 && kept == 0; --k) {
      if (out.ends_with(kOpen.substr(0, k)) && text.substr(at).starts_with(kOpen.substr(k))) kept = k;
    }
    const std::size_t open = kept != 0 ? at : text.find(kOpen, at);
    if (open == std::string_view::npos) return out.append(text.substr(at));
    const std::size_t inside = open + kOpen.size() - kept;
    std::size_t end = inside;
    if (text.substr(inside).starts_with(">")) {
      end += 1;
    } else if (text.substr(inside).starts_with("->")) {
      end += 2;
    } else {
      const std::size_t close = text.find("-->", inside);
      if (close == std::string_view::npos) return out.append(text.substr(at));
      end = close + 3;
    }
    if (kept != 0) {
      out.resize(out.size() - kept);
    } else {
      out.append(text.substr(at, open - at));
    }
    at = end;
  }
  return out;
}

std::string without_tags(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('<', at);
    const std::size_t close = open == std::string_view::npos ? open : text.find('>', open);
    if (close == std::string_view::npos) return out.append(text.substr(at));
    out.append(text.substr(at, open - at));
    at = close + 1;
  }
  return out;
}

std::string with_single_spaces(std::string_view text) {
  std::string out;
  bool space = false;
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    if (unicode::is_space(point.value)) {
      space = !out.empty();
    } else {
      if (space) out += ' ';
      space = false;
      out.append(text.substr(i, point.size));
    }
    i += point.size;
  }
  return out;
}

}  // namespace

std::string html_unescape(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t reference = std::min(text.find('&', at), text.size());
    out.append(text.substr(at, reference - at));
    if (reference == text.size()) break;
    const std::string_view rest = text.substr(reference + 1);
    const std::size_t size = rest.starts_with('#') ? read_number(rest, out) : read_name(rest, out);
    if (size == 0) out += '&';
    at = reference + 1 + size;
  }
  return out;
}

std::string strip_tags(std::string_view text) {
  return html_unescape(with_single_spaces(without_tags(without_comments(text))));
}

}  // namespace capwright::python
