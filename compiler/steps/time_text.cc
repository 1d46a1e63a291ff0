// Uses the calendar of <chrono>, which here depends on no locale or time zone.
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>

#include "steps/clock.h"

namespace capwright::steps {
namespace {

// "2026-11-22", the separator, "02:06:09".
std::string date_and_time(std::int64_t seconds, char between) {
  using std::chrono::days;
  const std::chrono::sys_seconds time{std::chrono::seconds(seconds)};
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  const std::int64_t rest = (time - day).count();
  return fmt::format("{:04}-{:02}-{:02}{}{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), between, rest / 3600,
                     rest / 60 % 60, rest % 60);
}

}  // namespace

std::string time_text(std::int64_t seconds) { return date_and_time(seconds, ' ') + " UTC"; }

std::string rfc3339(std::int64_t seconds, int minutes_east) {
  const int minutes = std::abs(minutes_east);
  return fmt::format("{}{}{:02}:{:02}", date_and_time(seconds + std::int64_t{minutes_east} * 60, 'T'),
                     minutes_east < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

}  // namespace capwright::steps
