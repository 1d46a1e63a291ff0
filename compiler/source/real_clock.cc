// The operating system's clock and time zone.
#include <time.h>

#include "source/real_system.h"

namespace capwright {
namespace {

timespec now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return time;
}

}  // namespace

std::int64_t real_seconds() { return now().tv_sec; }

int real_nanoseconds() { return static_cast<int>(now().tv_nsec); }

int minutes_east(std::int64_t seconds) {
  const time_t time = seconds;
  tm local{};
  return ::localtime_r(&time, &local) == nullptr ? 0 : static_cast<int>(local.tm_gmtoff / 60);
}

void real_wait(std::int64_t seconds) {
  timespec left{seconds, 0};
  while (seconds > 0 && ::nanosleep(&left, &left) != 0) continue;
}

}  // namespace capwright
