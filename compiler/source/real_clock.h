// The only place that reads the clock: for commits and locks, which say when they were made. Nothing that is rendered
// knows the time.
#pragma once
#include <cstdint>

namespace capwright {

// Since 1970 in UTC.
std::int64_t real_seconds();

// Of the second that is running.
int real_nanoseconds();

// How far the local time is east of UTC at that time.
int minutes_east(std::int64_t seconds);

void real_wait(std::int64_t seconds);

}  // namespace capwright
