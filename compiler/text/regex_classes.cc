// Spaces and words are scanned from Unicode's tables or listed, because RE2's `\s` and `\w` know only ASCII.
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "text/regex_dialect.h"
#include "text/unicode.h"

namespace capwright::regex {
namespace {

using Ranges = std::vector<std::pair<char32_t, char32_t>>;

Ranges ranges_where(bool (*holds)(char32_t)) {
  Ranges ranges;
  for (char32_t c = 0; c <= kLargestCodePoint; ++c) {
    if (!holds(c)) continue;
    if (!ranges.empty() && ranges.back().second + 1 == c) ranges.back().second = c;
    else ranges.emplace_back(c, c);
  }
  return ranges;
}

// The inside of a class with all characters for which `holds` is false. Slow: scans Unicode.
std::string complement_of(bool (*holds)(char32_t)) {
  std::string text;
  char32_t next = 0;
  const auto add = [&](char32_t first, char32_t last) {
    text += fmt::format("\\x{{{:x}}}-\\x{{{:x}}}", static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
  };
  for (const auto& [first, last] : ranges_where(holds)) {
    if (first > next) add(next, first - 1);
    next = last + 1;
  }
  if (next <= kLargestCodePoint) add(next, kLargestCodePoint);
  return text;
}

// `\s` and `\S` as the inside of a class: ECMA-262 §12.2 and §12.3, Python's str.isspace(), and re.ASCII.
struct Space {
  std::string_view in, out;
};
constexpr Space kEcmaSpace{
    "\\t-\\r \\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}",
    "\\x00-\\x08\\x0e-\\x1f!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}"
    "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"};
constexpr Space kPythonSpace{
    "\\t-\\r\\x1c- \\x{85}\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}",
    "\\x00-\\x08\\x0e-\\x1b!-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}"
    "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{10ffff}"};
constexpr Space kAsciiSpace{"\\t-\\r ", "\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}"};

const Space& space_of(RegexDialect dialect, bool ascii) {
  if (dialect != RegexDialect::Python) return kEcmaSpace;
  return ascii ? kAsciiSpace : kPythonSpace;
}

// ECMA-262's long names of general categories, and RE2's names.
// clang-format off
constexpr std::array<std::pair<std::string_view, std::string_view>, 38> kCategories{{
    {"Letter", "L"}, {"Lowercase_Letter", "Ll"}, {"Modifier_Letter", "Lm"}, {"Other_Letter", "Lo"},
    {"Titlecase_Letter", "Lt"}, {"Uppercase_Letter", "Lu"}, {"Mark", "M"}, {"Combining_Mark", "M"},
    {"Spacing_Mark", "Mc"}, {"Enclosing_Mark", "Me"}, {"Nonspacing_Mark", "Mn"}, {"Number", "N"},
    {"Decimal_Number", "Nd"}, {"digit", "Nd"}, {"Letter_Number", "Nl"}, {"Other_Number", "No"},
    {"Punctuation", "P"}, {"punct", "P"}, {"Connector_Punctuation", "Pc"}, {"Dash_Punctuation", "Pd"},
    {"Close_Punctuation", "Pe"}, {"Final_Punctuation", "Pf"}, {"Initial_Punctuation", "Pi"},
    {"Other_Punctuation", "Po"}, {"Open_Punctuation", "Ps"}, {"Symbol", "S"}, {"Currency_Symbol", "Sc"},
    {"Modifier_Symbol", "Sk"}, {"Math_Symbol", "Sm"}, {"Other_Symbol", "So"}, {"Separator", "Z"},
    {"Line_Separator", "Zl"}, {"Paragraph_Separator", "Zp"}, {"Space_Separator", "Zs"}, {"Other", "C"},
    {"Control", "Cc"}, {"cntrl", "Cc"}, {"Format", "Cf"},
}};
// clang-format on

}  // namespace

std::string_view class_of(char letter, RegexDialect dialect, bool ascii) {
  const bool unicode_sets = dialect == RegexDialect::Python && !ascii;
  switch (letter) {
    case 'd': return unicode_sets ? "\\p{Nd}" : "0-9";
    case 'D': return unicode_sets ? "\\P{Nd}" : "\\D";
    case 'w': return unicode_sets ? "\\p{L}\\p{N}_" : "0-9A-Za-z_";
    case 's': return space_of(dialect, ascii).in;
    case 'S': return space_of(dialect, ascii).out;
    default: break;
  }
  if (!unicode_sets) return "\\W";
  static const std::string kNoWord = complement_of(unicode::is_word);
  return kNoWord;
}

bool is_set_letter(char c) { return std::string_view("dDwWsS").find(c) != std::string_view::npos && c != '\0'; }

std::string_view category_of(std::string_view name) {
  for (const auto& [spelt, category] : kCategories) {
    if (name == spelt) return category;
  }
  return name;
}

}  // namespace capwright::regex
