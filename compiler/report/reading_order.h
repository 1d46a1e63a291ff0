// Findings in the order for people: notes first, then warnings, and errors last, where a terminal or a log ends.
#pragma once
#include <span>
#include <vector>

#include "report/finding.h"

namespace capwright::report {

// One frame of the text: a finding, and equal findings of other files; of an undefined name, also of the same file.
// Equal means the same code, message, notes and help.
struct ReadItem {
  const Finding* finding = nullptr;
  std::vector<const Finding*> others;
};

// Sorted by severity, path and line. Findings without a place come first within their severity.
std::vector<ReadItem> in_reading_order(std::span<const Finding> findings);

}  // namespace capwright::report
