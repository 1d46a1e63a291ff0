// Parses and formats instants and durations as the API server does (RFC 3339, Go's durations, OpenAPI's formats), and
// computes the fields of an instant. There is no time zone database: offsets only.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace capwright::cel {

// The limits of seconds since 1970: years 1 to 9999.
inline constexpr std::int64_t kFirstSecond = -62135596800, kLastSecond = 253402300799;
inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

struct Instant {
  std::int64_t seconds = 0;  // since 1970, UTC
  std::uint32_t nanos = 0;
  std::int32_t offset = 0;  // seconds east of UTC, as written; ignored in comparisons

  friend bool operator==(const Instant& a, const Instant& b) { return a.seconds == b.seconds && a.nanos == b.nanos; }
  friend bool operator<(const Instant& a, const Instant& b) {
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.nanos < b.nanos;
  }
};

// The civil fields of an instant at its offset. Months, days of the year and of the week start at 0, Sunday is 0.
struct CivilTime {
  std::int64_t year = 1970;
  int month = 0, day = 0, day_of_year = 0, day_of_week = 4;
  int hour = 0, minute = 0, second = 0;
};
CivilTime civil(const Instant&);

// `2026-01-02T03:04:05.5+02:00`, the syntax of `timestamp()`.
std::optional<Instant> parse_rfc3339(std::string_view text);
// The same, or without an offset, or empty: OpenAPI's `format: date-time` as the API server reads it.
std::optional<Instant> parse_open_api_date_time(std::string_view text);
std::optional<Instant> parse_date(std::string_view text);  // `2026-01-02`, at midnight UTC
std::string to_text(const Instant&);

// Nanoseconds. `1h2m3.5s`, the syntax of `duration()`.
std::optional<std::int64_t> parse_duration(std::string_view text);
// The same, or words such as `3 days 2 hours`: OpenAPI's `format: duration`.
std::optional<std::int64_t> parse_open_api_duration(std::string_view text);
std::string duration_text(std::int64_t nanos);  // "3723.5s"

// The offset in seconds of `UTC`, ``, `+02:00`; empty for names of zones.
std::optional<std::int32_t> parse_zone(std::string_view text);

// Empty if the result is out of range.
std::optional<Instant> add(const Instant&, std::int64_t nanos);
std::optional<std::int64_t> difference(const Instant& a, const Instant& b);

}  // namespace capwright::cel
