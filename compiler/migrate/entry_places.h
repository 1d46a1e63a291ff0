// Where the entries of an object are written in its text.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "migrate/field_path.h"
#include "migrate/rewrite.h"
#include "patch/file_text.h"

namespace capwright::migrate {

// Where an entry of a map is written.
struct EntryPlace {
  Span key, value;
  std::uint32_t colon = 0;  // the offset after it
  std::uint32_t column = 0;
  bool in_flow = false;        // the map around it has braces
  bool starts_line = false;    // only blanks are before the key
  bool value_on_line = false;  // the value begins on the line of the key
  bool is_block = false;       // the value is a map or list by lines
};

class EntryPlaces {
 public:
  // Both outlive it; `object` is the value of a document of `file`.
  EntryPlaces(const patch::FileText& file, const Value& object) : file_(file), object_(object) {}

  // Null if there is none.
  const Entry* entry_at(const FieldPath& path) const;
  // Empty if the entry is missing, or has a tag, an anchor or an alias.
  std::optional<EntryPlace> place_of(const FieldPath& path) const;
  // Whether the value at a path, or one around it, is in braces or brackets.
  bool in_flow(FieldPath path) const;
  // The whole lines of an entry with its comments; empty if it shares its first line.
  std::optional<Rewrite::Lines> lines_of(const EntryPlace& place) const;

  std::string_view text() const { return file_.text(); }
  bool is_at(std::uint32_t at, char c) const { return at < text().size() && text()[at] == c; }
  std::uint32_t column_of(std::uint32_t at) const { return at - file_.line_begin(at); }
  // After the line break that ends a value.
  std::uint32_t line_after(std::uint32_t end) const;

 private:
  std::uint32_t with_comments(std::uint32_t line, std::uint32_t column) const;

  const patch::FileText& file_;
  const Value object_;
};

}  // namespace capwright::migrate
