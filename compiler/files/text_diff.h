// The difference between two texts as a unified diff for people.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace capwright {

// Lines [old_begin, old_end) of the old text became lines [new_begin, new_end) of the new one; numbered from 0.
struct LineChange {
  std::uint32_t old_begin = 0, old_end = 0;
  std::uint32_t new_begin = 0, new_end = 0;

  friend bool operator==(const LineChange&, const LineChange&) = default;
};

// The memory of a diff grows with the square of the edits, so above this number the middle counts as one change.
inline constexpr std::uint32_t kMostEdits = 1'000;

// A shortest list of changes. If more than `most_edits` lines must be inserted and deleted, one change from the first
// difference to the last.
std::vector<LineChange> line_changes(std::string_view old_text, std::string_view new_text,
                                     std::uint32_t most_edits = kMostEdits);

struct NamedText {
  std::string_view name;
  std::string_view text;
};

struct DiffOptions {
  std::uint32_t context = 3;      // unchanged lines around a change
  std::uint32_t most_lines = 40;  // of the hunks, then "… and 12 more lines"; 0: all
  std::uint32_t most_edits = kMostEdits;
};

// `--- old`, `+++ new` and hunks as in `diff -u`; empty if the texts are equal.
std::string unified_diff(const NamedText& old_side, const NamedText& new_side, DiffOptions options = {});

}  // namespace capwright
