// The time, as an interface, and points in time in human-readable form.
#pragma once
#include <cstdint>
#include <string>

namespace capwright::steps {

// Provides the time: the core never reads a clock.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::int64_t seconds() = 0;  // since 1970 in UTC
  virtual int nanoseconds() = 0;       // of the second
  virtual void wait(std::int64_t seconds) = 0;
};

// "2026-11-22 02:06:09 UTC" from seconds since 1970.
std::string time_text(std::int64_t seconds);
// "2026-11-22T03:06:09+01:00" (RFC 3339) from the same seconds, 60 minutes east of UTC.
std::string rfc3339(std::int64_t seconds, int minutes_east);

}  // namespace capwright::steps
