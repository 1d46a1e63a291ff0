// Assertions about capwright's code. A failed CW_CHECK is a bug in capwright (exit code 70), never a user error; the
// checks stay in release builds.
#pragma once
#include <string_view>

namespace capwright {

// Prints `file:line: why` and the current breadcrumb to stderr, then ends the process with exit code 70.
[[noreturn]] void check_failed(const char* file, int line, const char* condition, std::string_view why);

// Names the current work of this thread ("rendering cluster prod-1") for the message of a failed check. Nests.
class Breadcrumb {
 public:
  explicit Breadcrumb(std::string_view what);
  ~Breadcrumb();
  Breadcrumb(const Breadcrumb&) = delete;
  Breadcrumb& operator=(const Breadcrumb&) = delete;

 private:
  std::string_view what_;
  Breadcrumb* outer_;
  friend void check_failed(const char*, int, const char*, std::string_view);
};

}  // namespace capwright

#define CW_CHECK(condition, why) \
  ((condition) ? static_cast<void>(0) : ::capwright::check_failed(__FILE__, __LINE__, #condition, why))
#define CW_UNREACHABLE(why) ::capwright::check_failed(__FILE__, __LINE__, "unreachable", why)
