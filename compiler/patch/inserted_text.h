// The text of values that patches put into a document.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "patch/file_text.h"
#include "value/stage.h"

namespace capwright::patch {

class InsertedText {
 public:
  // `maker` is the origin of bytes whose value has no place in a patch.
  InsertedText(const FileText& file, const Segment& maker, Stage& cluster)
      : file_(file), maker_(maker), cluster_(cluster) {}

  // `key: value` on lines of their own, from `column` on; ends with a line break.
  MappedText entry(const Value& key, const Value& value, std::uint32_t column) const;
  // `- value`, likewise.
  MappedText item(const Value& value, std::uint32_t column) const;
  // What follows `key:` or `-` at `column`, with the space or line break before it; no line break at the end.
  MappedText after_key(const Value& value, std::uint32_t column) const;
  MappedText after_dash(const Value& value, std::uint32_t column) const;
  // The whole document.
  MappedText document(const Value& value) const;
  // On one line, as in brackets.
  MappedText in_brackets(const Value& value) const;
  MappedText entry_in_brackets(const Value& key, const Value& value) const;
  // A text between the quotes that it had; empty if it needs escapes.
  std::optional<MappedText> in_quotes(const Value& value, ScalarStyle quotes) const;

 private:
  // The place of the key around a value: where a reader looks for the value.
  struct Place {
    Span key;
  };
  // The part of the patch that a value comes from, in place of the values that it refers to.
  Span place_in_patch(const Value& value) const;
  // Of the bytes around a value, which aren't a secret even if the value is.
  Segment maker_of(const Value& value, const Place& place) const;
  void entries(const Value& map, std::uint32_t column, bool starts_inline, Place place, MappedText& out) const;
  void items(const Value& list, std::uint32_t column, bool starts_inline, Place place, MappedText& out) const;
  void value_of_key(const Value& value, std::uint32_t column, Place place, MappedText& out) const;
  void value_of_dash(const Value& value, std::uint32_t column, Place place, MappedText& out) const;
  void scalar(const Value& value, std::uint32_t indent, Place place, MappedText& out) const;
  bool block_scalar(const Value& value, std::uint32_t indent, const Segment& maker, MappedText& out) const;
  void key(const Value& key, Place& place, MappedText& out) const;
  MappedText leaf(const Value& value, const Segment& maker) const;
  void flow(const Value& value, Place place, MappedText& out) const;
  void flow_entry(const Entry& entry, Place place, MappedText& out) const;

  const FileText& file_;
  const Segment maker_;
  Stage& cluster_;
};

}  // namespace capwright::patch
