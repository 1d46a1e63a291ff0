// The operating system's clock and time zone, and the names of this machine and process.
#include <array>
#include <time.h>
#include <unistd.h>

#include "source/real_system.h"

namespace capwright {
namespace {

timespec now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time;
}

}  // namespace

std::int64_t real_seconds() { return now(CLOCK_REALTIME).tv_sec; }

std::int64_t real_milliseconds() {
  constexpr std::int64_t kPerSecond = 1'000, kNanoseconds = 1'000'000;
  const timespec time = now(CLOCK_MONOTONIC);
  return time.tv_sec * kPerSecond + time.tv_nsec / kNanoseconds;
}

std::int64_t real_microseconds() {
  constexpr std::int64_t kPerSecond = 1'000'000, kNanoseconds = 1'000;
  const timespec time = now(CLOCK_MONOTONIC);
  return time.tv_sec * kPerSecond + time.tv_nsec / kNanoseconds;
}

int real_nanoseconds() { return static_cast<int>(now(CLOCK_REALTIME).tv_nsec); }

int minutes_east(std::int64_t seconds) {
  const time_t time = seconds;
  tm local{};
  return ::localtime_r(&time, &local) == nullptr ? 0 : static_cast<int>(local.tm_gmtoff / 60);
}

void real_wait(std::int64_t seconds) {
  timespec left{seconds, 0};
  while (seconds > 0 && ::nanosleep(&left, &left) != 0) continue;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

int process_id() { return static_cast<int>(::getpid()); }

}  // namespace capwright
