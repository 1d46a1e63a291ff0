// The styles in which a text can be written in YAML so that it reads back unchanged: the rules of PyYAML and libyaml.
#pragma once
#include <string_view>

namespace capwright::yaml {

struct ScalarShape {
  bool multiline = false;
  bool plain_in_flow = true;   // unquoted inside brackets
  bool plain_in_block = true;  // unquoted elsewhere
  bool single_quoted = true;
};

ScalarShape shape_of(std::string_view text, bool allow_unicode);

bool is_break(char32_t c);      // YAML 1.1's line breaks
bool is_printable(char32_t c);  // libyaml's definition: up to U+FFFD without the byte order mark

}  // namespace capwright::yaml
