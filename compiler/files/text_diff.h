// The difference between two texts as a unified diff, for people to read.
#pragma once
#include <cstdint>
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

// A shortest list of changes, by Myers' greedy algorithm; above `most_edits` inserted and deleted lines the rest is one
// change, so that time and memory stay bounded by (lines + most_edits²).
std::vector<LineChange> line_changes(std::string_view old_text, std::string_view new_text,
                                     std::uint32_t most_edits = 1'000);

struct DiffOptions {
  std::uint32_t context = 3;      // unchanged lines around a change
  std::uint32_t most_lines = 40;  // then "… and 12 more lines"; 0: all
};

// `--- old_name`, `+++ new_name` and hunks as `diff -u` writes them; empty when the texts are equal.
std::string unified_diff(std::string_view old_name, std::string_view old_text, std::string_view new_name,
                         std::string_view new_text, DiffOptions options = {});

}  // namespace capwright
