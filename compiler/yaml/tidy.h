// The canonical layout of a YAML document that people edit: its bytes, except for white space, stay the same.
#pragma once
#include <optional>
#include <string>

#include "source/source.h"
#include "value/stage.h"

namespace capwright {

// The document with an indentation of 2, items of lists indented below their key, one space after `-` and `:`, two
// before a comment after a value, at most one blank line, no white space at the ends of lines, LF, and one line break
// at the end. Blocks after `|` and `>`, brackets and texts over several lines keep their inner layout.
//
// Empty if the document has errors, which are reported, or a layout that isn't supported: then `reason` says why. The
// result is checked: it reads as the same value.
std::optional<std::string> tidied(FileId file, Stage& stage, std::string& reason);

}  // namespace capwright
