// Look-ups in the generated tables, and the case conversions built on them.
#include "text/unicode.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "text/utf8.h"

namespace capwright::unicode {
namespace {

enum Case : std::uint8_t { kUpperCase, kLowerCase, kTitleCase, kFoldCase };

struct Record {
  std::uint16_t flags;
  std::int32_t to[4];  // by Case
};
struct SpecialCase {
  char32_t from;
  std::uint8_t which;
  std::u32string_view to;
};

#include "text/unicode_tables.inc"

constexpr std::uint32_t kRecordBits = 11;

constexpr std::uint32_t search_run(char32_t c) {
  const std::uint32_t past = (c << kRecordBits) | ((1u << kRecordBits) - 1);
  return *std::prev(std::upper_bound(std::begin(kRuns), std::end(kRuns), past));
}

// Nearly all text is ASCII. Searching took 13 % of the instructions of rendering one cluster, most of them for names in
// templates.
constexpr auto kAsciiRuns = [] {
  std::array<std::uint32_t, 0x80> runs{};
  for (char32_t c = 0; c < runs.size(); ++c) runs[c] = search_run(c);
  return runs;
}();

// The run that holds `c`.
std::uint32_t run_of(char32_t c) { return c < kAsciiRuns.size() ? kAsciiRuns[c] : search_run(c); }
const Record& record_of(char32_t c) { return kRecords[run_of(c) & ((1u << kRecordBits) - 1)]; }
bool has(char32_t c, std::uint16_t flag) { return (record_of(c).flags & flag) != 0; }

void append_case(std::string& out, char32_t c, Case which) {
  const std::int32_t delta = record_of(c).to[which];
  if (delta == 0 && c >= 0x80) {
    const auto* special = std::lower_bound(std::begin(kSpecialCases), std::end(kSpecialCases), c,
                                           [](const SpecialCase& s, char32_t wanted) { return s.from < wanted; });
    for (; special != std::end(kSpecialCases) && special->from == c; ++special) {
      if (special->which != which) continue;
      for (const char32_t part : special->to) utf8::append(out, part);
      return;
    }
  }
  utf8::append(out, static_cast<char32_t>(static_cast<std::int32_t>(c) + delta));
}

constexpr char32_t kCapitalSigma = 0x3A3, kSmallSigma = 0x3C3, kFinalSigma = 0x3C2;

// Unicode's Final_Sigma: preceded by a cased letter and not followed by one, case-ignorable characters skipped.
bool is_final_sigma(std::string_view text, std::size_t offset) {
  std::size_t before = offset;
  bool cased_before = false;
  while (before > 0) {
    before = utf8::previous(text, before);
    const char32_t c = utf8::decode(text, before).value;
    if (has(c, kCaseIgnorable)) continue;
    cased_before = has(c, kCased);
    break;
  }
  if (!cased_before) return false;
  for (std::size_t after = offset + utf8::decode(text, offset).size; after < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, after);
    if (!has(point.value, kCaseIgnorable)) return !has(point.value, kCased);
    after += point.size;
  }
  return true;
}

void append_lower_at(std::string& out, std::string_view text, std::size_t offset, char32_t c) {
  if (c == kCapitalSigma) {
    utf8::append(out, is_final_sigma(text, offset) ? kFinalSigma : kSmallSigma);
  } else {
    append_case(out, c, kLowerCase);
  }
}

// Calls convert(out, offset, code point) for each character of `text`.
template <class Convert>
std::string convert_each(std::string_view text, Convert convert) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const utf8::CodePoint point = utf8::decode(text, i);
    convert(out, i, point.value);
    i += point.size;
  }
  return out;
}

char ascii_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

bool is_alpha(char32_t c) { return has(c, kAlpha); }
bool is_decimal(char32_t c) { return has(c, kDecimal); }
bool is_digit(char32_t c) { return has(c, kDigit); }
bool is_numeric(char32_t c) { return has(c, kNumeric); }
bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return has(c, kSpace);
}
bool is_upper(char32_t c) { return has(c, kUpper); }
bool is_lower(char32_t c) { return has(c, kLower); }
bool is_title(char32_t c) { return has(c, kTitle); }
bool is_printable(char32_t c) { return c < 0x7F ? c >= 0x20 : has(c, kPrintable); }
bool is_identifier_start(char32_t c) { return has(c, kIdentifierStart); }
bool is_identifier_part(char32_t c) { return has(c, kIdentifierPart); }

bool is_line_break(char32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

int decimal_value(char32_t c) {
  const std::uint32_t run = run_of(c);
  if ((kRecords[run & ((1u << kRecordBits) - 1)].flags & kDecimal) == 0) return -1;
  return static_cast<int>((c - (run >> kRecordBits)) % 10);
}

std::string upper(std::string_view text) {
  if (utf8::is_ascii(text)) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), ascii_upper);
    return out;
  }
  return convert_each(text, [](std::string& out, std::size_t, char32_t c) { append_case(out, c, kUpperCase); });
}

std::string lower(std::string_view text) {
  if (utf8::is_ascii(text)) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), ascii_lower);
    return out;
  }
  return convert_each(text, [&](std::string& out, std::size_t i, char32_t c) { append_lower_at(out, text, i, c); });
}

std::string title(std::string_view text) {
  bool after_cased = false;
  return convert_each(text, [&](std::string& out, std::size_t i, char32_t c) {
    if (after_cased) {
      append_lower_at(out, text, i, c);
    } else {
      append_case(out, c, kTitleCase);
    }
    after_cased = has(c, kCased);
  });
}

std::string capitalize(std::string_view text) {
  return convert_each(text, [&](std::string& out, std::size_t i, char32_t c) {
    if (i == 0) {
      append_case(out, c, kTitleCase);
    } else {
      append_lower_at(out, text, i, c);
    }
  });
}

std::string swapcase(std::string_view text) {
  return convert_each(text, [&](std::string& out, std::size_t i, char32_t c) {
    if (has(c, kUpper)) {
      append_lower_at(out, text, i, c);
    } else if (has(c, kLower)) {
      append_case(out, c, kUpperCase);
    } else {
      utf8::append(out, c);
    }
  });
}

std::string casefold(std::string_view text) {
  if (utf8::is_ascii(text)) return lower(text);
  return convert_each(text, [](std::string& out, std::size_t, char32_t c) { append_case(out, c, kFoldCase); });
}

void append_upper(std::string& out, char32_t c) { append_case(out, c, kUpperCase); }

}  // namespace capwright::unicode
