// The text report.
#include <fmt/format.h>

#include "leftovers/leftovers.h"
#include "report/finding.h"

namespace capwright::leftovers {
std::string as_text(const Findings& findings) {
  std::string text;
  const Leftover* last = nullptr;
  for (const Leftover& leftover : findings.leftovers) {
    if (last == nullptr || last->cluster != leftover.cluster || block_space(*last) != block_space(leftover)) {
      const std::string space = report::printable(block_space(leftover));
      text += fmt::format("{}{}{}{}\n", last == nullptr ? "" : "\n", report::printable(leftover.cluster),
                          space.empty() ? "" : " in namespace ", space);
    }
    last = &leftover;
    text += fmt::format("  {} {}", report::printable(leftover.kind), report::printable(leftover.name));
    if (const std::int64_t machines = leftover.machines.value_or(0); machines != 0)
      text += fmt::format(", {} machine{}", machines, machines == 1 ? "" : "s");
    if (const std::string_view note = note_of(leftover); !note.empty()) text += fmt::format("\n    {}", note);
    text += fmt::format("\n    {}\n", report::printable(delete_command(leftover)));
  }
  return text;
}

}  // namespace capwright::leftovers
