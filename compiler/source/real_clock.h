// The only code that reads the clock: for the times in commits and locks. Rendered output never contains the time.
#pragma once
#include <cstdint>

namespace capwright {

// Seconds since 1970 in UTC.
std::int64_t real_seconds();

// The nanoseconds of the current second.
int real_nanoseconds();

// The offset of local time from UTC at that time, in minutes east.
int minutes_east(std::int64_t seconds);

void real_wait(std::int64_t seconds);

}  // namespace capwright
