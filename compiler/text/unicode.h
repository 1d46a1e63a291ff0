// Unicode properties of a code point, as Python 3.11's str methods use them (Unicode 14). make_unicode_tables.py
// generates the tables.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace capwright::unicode {

bool is_alpha(char32_t);
bool is_decimal(char32_t);
bool is_digit(char32_t);
bool is_numeric(char32_t);
bool is_space(char32_t);
bool is_upper(char32_t);
bool is_lower(char32_t);
bool is_title(char32_t);
bool is_printable(char32_t);
bool is_identifier_start(char32_t);
bool is_identifier_part(char32_t);
inline bool is_alnum(char32_t c) { return is_alpha(c) || is_decimal(c) || is_digit(c) || is_numeric(c); }
// Matches `\w` of Python's re.
inline bool is_word(char32_t c) { return is_alnum(c) || c == '_'; }
// The characters at which str.splitlines() ends a line.
bool is_line_break(char32_t);

// The value of a decimal digit in any script; -1 for other characters.
int decimal_value(char32_t);

// str.upper(), lower(), title(), capitalize(), swapcase(), casefold(): one character may become up to three.
std::string upper(std::string_view text);
std::string lower(std::string_view text);
std::string title(std::string_view text);
std::string capitalize(std::string_view text);
std::string swapcase(std::string_view text);
std::string casefold(std::string_view text);

// For callers that convert word by word (Jinja's `title`): appends the converted form of one character.
void append_upper(std::string& out, char32_t);

}  // namespace capwright::unicode
