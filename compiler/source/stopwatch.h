// Durations that are too short for real_milliseconds().
#pragma once
#include <cstdint>

namespace capwright {

// Microseconds since an unknown time. Changes of the clock's time don't affect it.
std::int64_t real_microseconds();

}  // namespace capwright
