// Options of `capwright explain`, and the explanation of values, which is in a file of its own.
#pragma once
#include <optional>
#include <string>

#include "cli/common_options.h"
#include "cli/console.h"

namespace capwright::cli {

struct ExplainOptions {
  CommonOptions common;
  workflow::ValueOptions values;
  std::optional<workflow::PlainTemplates> plain;
  std::string target;  // CODE, KEY, FILE, FILE:LINE or FILE:LINE:COLUMN
  std::optional<std::string> cluster;
  std::optional<std::string> output;
};

// `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`; a part that isn't a number belongs to the file's name.
struct ExplainTarget {
  std::string path;
  std::optional<std::uint32_t> line;
  std::uint32_t column = 0;
  std::optional<std::uint32_t> last_line = {};  // of a range, as `explain` prints it
};

// Explains a key of values, or a line of a file that sets values. Empty: the target is neither.
std::optional<int> explain_values(const ExplainOptions& options, const ExplainTarget& target, Console& console);

}  // namespace capwright::cli
