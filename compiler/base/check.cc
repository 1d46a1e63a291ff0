// Reports a failed assertion and ends the process.
#include "base/check.h"

#include <cstdlib>
#include <string>
#include <unistd.h>

namespace capwright {
namespace {
thread_local Breadcrumb* innermost = nullptr;
}  // namespace

Breadcrumb::Breadcrumb(std::string_view what) : what_(what), outer_(innermost) { innermost = this; }
Breadcrumb::~Breadcrumb() { innermost = outer_; }

void check_failed(const char* file, int line, const char* condition, std::string_view why) {
  std::string text = "capwright: internal error: ";
  text.append(why).append(" (").append(condition).append(")\n  at ");
  text.append(file).append(":").append(std::to_string(line)).append("\n");
  for (const Breadcrumb* crumb = innermost; crumb != nullptr; crumb = crumb->outer_) {
    text.append("  while ").append(crumb->what_).append("\n");
  }
  text.append("this is a bug in capwright, not in your input; please report it with these lines\n");
  // Unbuffered and unchecked: if stderr is closed, the message can't be reported anywhere else.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::_Exit(70);
}

}  // namespace capwright
