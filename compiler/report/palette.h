// Colors of text output. Machine-readable formats have none.
#pragma once
#include <string>
#include <string_view>

namespace capwright::report {

// Escape sequences; all are empty without color.
struct Palette {
  std::string_view error, warning, note, frame, bold, dim;
  std::string_view added, removed, changed, hunk;  // as git and terraform color them
  std::string_view reset;
};
const Palette& palette_of(bool color);

// `text` in this color. Doesn't add sequences to an empty text, or without color.
std::string painted(std::string_view text, std::string_view color, const Palette&);
// Of the sign that a line of a diff or plan begins with: `+`, `-`, `~`, `=`, or `!` for a rejected change.
std::string_view color_of_sign(char sign, const Palette&);
std::string with_painted_sign(std::string_view line, const Palette&);
// Colors a unified diff of any number of files as git does.
std::string painted_diff(std::string_view unified, bool color);

}  // namespace capwright::report
