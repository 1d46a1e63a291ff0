// A change of a text by lines and bytes, which keeps comments, quotes and expressions of a template.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::migrate {

struct Rewrite {
  // The end of a map, for templates, which may have other entries there that weren't printed.
  struct Gap {
    std::uint32_t anchor = 0;  // a byte before it in the same block of a template: the key of the map
    std::uint32_t column = 0;  // of the map's keys
  };
  // These bytes become `text`.
  struct Replace {
    std::uint32_t begin = 0, end = 0;
    std::string text;
    Gap gap;  // of an insertion between lines
  };
  // The lines that begin in [begin, end) move by columns, to the right or to the left.
  struct Shift {
    std::uint32_t begin = 0, end = 0;
    std::int32_t columns = 0;
  };
  // The whole lines [begin, end) go to `at`, the begin of a line, below the lines `before`.
  struct Paste {
    std::uint32_t begin = 0, end = 0, at = 0;
    std::int32_t columns = 0;
    std::string before;
    Gap gap;
  };
  std::vector<Replace> replaces;
  std::vector<Shift> shifts;
  std::optional<Paste> paste;
  // Whole lines that go.
  struct Lines {
    std::uint32_t begin = 0, end = 0;
  };
  std::optional<Lines> gone;
};

// The text after a change. `is_template`: lines that only have a statement or a comment of Jinja keep their columns.
std::string perform(std::string_view text, const Rewrite& rewrite, bool is_template);

}  // namespace capwright::migrate
