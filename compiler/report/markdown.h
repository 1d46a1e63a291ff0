// What the Markdown forms of diff and plan share.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/finding.h"

namespace capwright::report {

// A code span that shows `text` whatever backticks it has (CommonMark §6.1), on one line.
std::string markdown_code(std::string_view text);

// A message: its code spans stay, and nothing else of it is Markdown, a mention of somebody, or a link.
std::string markdown_text(std::string_view message);

// A finding as an item of a list.
std::string markdown_item(const Finding& finding);

// `head`, and of `items` as many as fit into `budget` bytes (0: all), in their order; then how many of them, which are
// called `what`, did not fit.
std::string within_budget(std::string head, const std::vector<std::string>& items, std::string_view what,
                          std::size_t budget);

}  // namespace capwright::report
