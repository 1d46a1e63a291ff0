// One line on standard error that each step overwrites.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <string>
#include <unistd.h>

#include "cli/common_options.h"
#include "source/real_system.h"
#include "workflow/open_project.h"

namespace capwright::cli {
namespace {

constexpr std::int64_t kPatience = 1000, kInterval = 100;  // milliseconds before the first line, and between two

class TerminalProgress final : public Progress {
 public:
  void begin(std::string_view verb, std::size_t count, std::string_view unit) override {
    verb_ = verb;
    unit_ = unit;
    count_ = count;
    done_ = 0;
    next_ = real_milliseconds() + kPatience;
  }

  void advance() override {
    ++done_;
    const std::int64_t now = real_milliseconds();
    std::int64_t next = next_;
    if (now < next || !next_.compare_exchange_strong(next, now + kInterval)) return;
    const std::lock_guard lock(mutex_);
    is_shown_ = true;
    write(fmt::format("{} {}/{} {}", verb_, done_.load(), count_, unit_));
  }

  void end() override {
    if (is_shown_) write("");
    is_shown_ = false;
  }

 private:
  static void write(const std::string& line) { fmt::print(stderr, "\r\x1b[K{}", line); }

  std::string verb_, unit_;
  std::size_t count_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<std::int64_t> next_ = 0;  // when the line is written again
  std::mutex mutex_;
  bool is_shown_ = false;
};

}  // namespace

Progress* terminal_progress(const CommonOptions& options) {
  static TerminalProgress progress;  // a process has one terminal
  const char* terminal = std::getenv("TERM");
  const bool can_erase = ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
  return can_erase && !options.quiet && !workflow::is_switched_on("CI") ? &progress : nullptr;
}

}  // namespace capwright::cli
