// Diagnostics for people: one frame per error, also if it involves a value, a template line and a rendered line; and
// the one-line format for editors and grep.
#pragma once
#include <span>
#include <string>

#include "report/finding.h"

namespace capwright::report {

struct TextOptions {
  bool color = false;
  bool whole_notes = true;         // otherwise a note is one line
  std::size_t most_per_code = 20;  // further findings of a code are counted, not shown
};

// In reading order (reading_order.h). Ends with a line break unless empty.
std::string as_text(std::span<const Finding> findings, const TextOptions& options);

// `file:line:col: error[T012] message`, one per line.
std::string as_concise(std::span<const Finding> findings);

// "2 errors, 1 warning" for the last line of a run; empty if there were none.
std::string summary(std::size_t errors, std::size_t warnings);

}  // namespace capwright::report
