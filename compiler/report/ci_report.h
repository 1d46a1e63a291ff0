// The result of all checks of a change: lines for a terminal, and Markdown for a comment or a job's summary.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/plan_report.h"

namespace capwright::report {

// The result of one check, such as `lint`, `failed`, "1 error in 12 files".
struct CheckLine {
  std::string_view check, result;
  std::string text;
};

// A file that differs from what is expected; the text is a unified diff, or empty.
struct CheckedFile {
  std::string path, diff;
};

struct CheckReport {
  std::span<const CheckLine> checks;
  const FleetPlan* plan = nullptr;       // null: there is none
  std::span<const Finding> of_change;    // findings that the change causes, or on lines that it changes
  std::span<const Finding> others = {};  // and elsewhere
  std::span<const CheckedFile> files = {};
  std::string_view folder = {};  // of the repository in its Git working tree, "" or "fleet/"; starts every path
};

// One line per check, in columns.
std::string checks_as_text(std::span<const CheckLine> checks);

// At most `budget` bytes (0: no limit): the checks, the plan, the findings of the change, other findings and diffs of
// files; findings have their help if all of it fits. The last line says what was cut.
std::string checks_as_markdown(const CheckReport& report, std::size_t budget);

}  // namespace capwright::report
