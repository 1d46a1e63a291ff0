// Decodes the source of a YAML scalar: folding, escapes, indentation and chomping. The library's decoder (0.7.12) drops
// escaped spaces and reads past the end of some texts, so only its token boundaries are used.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "value/value.h"

namespace capwright::yaml {

// In YAML 1.1 NEL, LS and PS are line breaks too; in 1.2 they are ordinary characters.
enum class LineBreaks : std::uint8_t { Yaml12, Yaml11 };

// Decodes a plain text, or the text between quotes, of any number of lines. Escapes are already validated.
std::string flow_text(std::string_view source, ScalarStyle style, LineBreaks breaks);

// Decodes a block scalar from its `|` or `>` to the end of its lines. `parent_column` is the column of the collection
// that contains it, -1 for none; an indentation indicator counts from there.
std::string block_text(std::string_view source, std::int32_t parent_column, LineBreaks breaks);

}  // namespace capwright::yaml
