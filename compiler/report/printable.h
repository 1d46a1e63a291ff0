// Makes text from inputs safe for terminals and logs: without control characters and partial characters.
#pragma once
#include <string>
#include <string_view>

namespace capwright::report {

// Control characters as `
// `, `\t`, `\x1b`; bytes that aren't UTF-8 as `\xNN`; bidirectional overrides as `\u202e`.
std::string printable(std::string_view text);
void append_printable(std::string& out, std::string_view text);

// The same for a text of several lines: line feeds stay.
std::string printable_lines(std::string_view text);

// The number of terminal columns of `text`: code points; East Asian wide ones count twice, combining ones not at all.
std::size_t display_width(std::string_view text);

}  // namespace capwright::report
