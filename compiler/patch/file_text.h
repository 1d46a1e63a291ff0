// A rendered YAML file that patches change: its text, and its documents as values with places in that text.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::patch {

// Values that a patch computes mix two kinds: those of the document, and those of the patch. Both have origins, of
// different tables, so the ids of a document's values carry a mark. They stay inside of this folder.
class FileText {
 public:
  FileText(MappedText body, const Limits& limits);

  const MappedText& body() const { return body_; }
  std::string_view text() const { return body_.text(); }
  // Empty if the file has errors, which a later stage reports.
  std::span<const YamlDocument> documents() const { return documents_; }
  bool is_broken() const { return own_.sink.failed(); }
  // The bytes of a value or key of a document; unknown for one of a patch.
  Span place(const Value& value) const;
  // `value` in which values of the document have the origin and the taint of their bytes. Values of patches stay.
  Value adopted(const Value& value, Stage& cluster) const;

  // The start of the line of `offset`, and of the line after it.
  std::uint32_t line_begin(std::uint32_t offset) const;
  std::uint32_t line_end(std::uint32_t offset) const;
  bool is_blank(std::uint32_t begin, std::uint32_t end) const;

 private:
  Value marked(const Value& value);
  Value adopted_leaf(const Value& value, Stage& cluster) const;

  MappedText body_;
  OwnStage own_;
  std::vector<YamlDocument> documents_;
};

}  // namespace capwright::patch
