// Points in time in human-readable form.
#pragma once
#include <cstdint>
#include <string>

namespace capwright::publish {

// "2026-11-22 02:06:09 UTC" from seconds since 1970.
std::string time_text(std::int64_t seconds);
// "2026-11-22T03:06:09+01:00" (RFC 3339) from the same seconds, 60 minutes east of UTC.
std::string rfc3339(std::int64_t seconds, int minutes_east);

}  // namespace capwright::publish
