// Asks on standard error: standard output may be a file.
#include <array>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

#include "cli/console.h"
#include "report/printable.h"
#include "workflow/open_project.h"

namespace capwright::cli {

bool can_ask_user() {
  return !workflow::is_switched_on("CI") && ::isatty(STDIN_FILENO) == 1 && ::isatty(STDERR_FILENO) == 1;
}

bool ask_user(std::string_view question, const std::function<bool()>& waits) {
  std::fflush(stdout);
  std::fputs(fmt::format("{} [y/N] ", report::printable(question)).c_str(), stderr);
  if (waits && !waits()) {
    std::fputs("\n", stderr);
    return false;
  }
  std::array<char, 64> answer{};
  if (std::fgets(answer.data(), answer.size(), stdin) == nullptr) return false;
  const std::string_view word(answer.data());
  return word == "y\n" || word == "yes\n" || word == "Y\n";
}

}  // namespace capwright::cli
