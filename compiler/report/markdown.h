// Shared parts of the Markdown formats of diff and plan.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/finding.h"

namespace capwright::report {

// A code span that shows `text` with any backticks in it (CommonMark §6.1), on one line.
std::string markdown_code(std::string_view text);

// A message: keeps its code spans; no other part becomes Markdown, a mention, or a link.
std::string markdown_text(std::string_view message);
// The same for a text with names and paths of the inputs, on one line.
std::string markdown_line(std::string_view text);

// A finding as a list item. `folder`: as in report/formats.h. `has_help`: with the edit that fixes it, folded if it is
// long.
std::string markdown_item(const Finding& finding, std::string_view folder, bool has_help);

// `head`, and as many of `items` as fit into `budget` bytes (0: all), in order; then the number of omitted ones, which
// are called `what`.
std::string within_budget(std::string head, const std::vector<std::string>& items, std::string_view what,
                          std::size_t budget);

}  // namespace capwright::report
