// Decodes the source of a YAML scalar: folding, escapes, indentation and chomping. The library's decoder (0.7.12) drops
// escaped spaces and reads past the end of some texts, so only its token boundaries are used.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "value/value.h"
#include "yaml/read.h"

namespace capwright::yaml {

// In YAML 1.1 NEL, LS and PS are line breaks too; in 1.2 they are ordinary characters.
enum class LineBreaks : std::uint8_t { Yaml12, Yaml11 };

// Decodes a plain text, or the text between quotes, of any number of lines. Escapes are already validated.
std::string flow_text(std::string_view source, ScalarStyle style, LineBreaks breaks);

// Decodes a block scalar from its `|` or `>` to the end of its lines. `parent_column` is the column of the collection
// that contains it, -1 for none; an indentation indicator counts from there.
std::string block_text(std::string_view source, std::int32_t parent_column, LineBreaks breaks);

// The type of a plain scalar under each ScalarRules; the reader uses it for types, the writer for quoting.

// The implicit types of PyYAML's resolver; Timestamp, Merge and Equals (`=`) are read as strings, but quoted when
// dumped.
enum class PythonTag : std::uint8_t { String, Null, Bool, Int, Float, Timestamp, Merge, Equals };
PythonTag python_tag(std::string_view text);

// A whole number that doesn't fit 64 bits: it becomes a Float that has lost digits.
bool is_wide_integer(std::string_view text, ScalarRules rules);

// The styles in which a text can be written in YAML so that it reads back unchanged: the rules of PyYAML and libyaml.

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
