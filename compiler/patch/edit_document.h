// Turns the change of a document's value into edits of its text.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "patch/file_text.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::patch {

struct TextEdit {
  std::uint32_t begin = 0, end = 0;  // bytes of the file that `text` replaces
  MappedText text;
};

// Edits that change a document to `wanted`, and leave comments, quotes and the layout of everything else. Empty if the
// document has a form that can't be edited in place. The edits may still have another result, if the document has
// anchors: read it again.
std::optional<std::vector<TextEdit>> edits_in_place(const FileText& file, const YamlDocument& document,
                                                    const Value& wanted, const Segment& maker, Stage& cluster);

// Prints the whole document again, without comments.
TextEdit edit_of_whole(const FileText& file, const YamlDocument& document, const Value& wanted, const Segment& maker,
                       Stage& cluster);

// Removes a document with the `---` that separates it.
TextEdit removal(const FileText& file, std::size_t document);

// The text after edits, which must not overlap.
MappedText edited(const MappedText& text, std::vector<TextEdit> edits);

}  // namespace capwright::patch
