// Calendar arithmetic and text forms of instants and durations. Dates follow the proleptic Gregorian calendar.
#include "cel/time.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/ascii.h"

namespace capwright::cel {
namespace {

constexpr std::int64_t kSecondsPerDay = 86400;

// Removes exactly `count` digits from the front and returns their value; -1 if there are fewer.
int take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return -1;
  int number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_digit(text[i])) return -1;
    number = number * 10 + (text[i] - '0');
  }
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(std::int64_t year, int month) {
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Days since 1970-01-01; months and days start at 1.
std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  year -= month <= 2;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

// Removes the date from the front; returns seconds since 1970.
std::optional<std::int64_t> take_date(std::string_view& text) {
  const int year = take_digits(text, 4);
  if (year < 0 || !take(text, '-')) return std::nullopt;
  const int month = take_digits(text, 2);
  if (month < 1 || month > 12 || !take(text, '-')) return std::nullopt;
  const int day = take_digits(text, 2);
  if (day < 1 || day > days_in_month(year, month)) return std::nullopt;
  return days_from_civil(year, month, day) * kSecondsPerDay;
}

std::uint32_t take_fraction(std::string_view& text) {
  if (text.size() < 2 || (text[0] != '.' && text[0] != ',') || !is_digit(text[1])) return 0;
  text.remove_prefix(1);
  std::uint32_t nanos = 0, unit = 100'000'000;
  while (!text.empty() && is_digit(text.front())) {
    nanos += static_cast<std::uint32_t>(text.front() - '0') * unit;
    unit /= 10;
    text.remove_prefix(1);
  }
  return nanos;
}

// `Z` or `+02:00`, to the end of the text.
std::optional<std::int32_t> read_offset(std::string_view text) {
  if (text == "Z") return 0;
  if (text.empty() || (text[0] != '+' && text[0] != '-')) return std::nullopt;
  const std::int32_t sign = text[0] == '-' ? -1 : 1;
  text.remove_prefix(1);
  const int hours = take_digits(text, 2);
  if (hours < 0 || hours > 24 || !take(text, ':')) return std::nullopt;
  const int minutes = take_digits(text, 2);
  if (minutes < 0 || minutes > 60 || !text.empty()) return std::nullopt;
  return sign * (hours * 3600 + minutes * 60);
}

std::optional<Instant> read_date_time(std::string_view text, bool needs_offset) {
  const std::optional<std::int64_t> date = take_date(text);
  if (!date || !take(text, 'T')) return std::nullopt;
  // Go accepts an hour of one digit.
  const int hour = text.size() > 1 && text[1] == ':' ? take_digits(text, 1) : take_digits(text, 2);
  if (hour < 0 || hour > 23 || !take(text, ':')) return std::nullopt;
  const int minute = take_digits(text, 2);
  if (minute < 0 || minute > 59 || !take(text, ':')) return std::nullopt;
  const int second = take_digits(text, 2);
  if (second < 0 || second > 59) return std::nullopt;
  Instant instant{*date + hour * 3600 + minute * 60 + second, take_fraction(text), 0};
  if (text.empty() && !needs_offset) return instant;
  const std::optional<std::int32_t> offset = read_offset(text);
  if (!offset) return std::nullopt;
  instant.seconds -= *offset;
  instant.offset = *offset;
  return instant;
}

struct Unit {
  std::string_view name;
  std::int64_t nanos;
};
constexpr Unit kUnits[] = {{"ns", 1},
                           {"us", 1000},
                           {"µs", 1000},
                           {"μs", 1000},
                           {"ms", 1'000'000},
                           {"s", kNanosPerSecond},
                           {"m", 60 * kNanosPerSecond},
                           {"h", 3600 * kNanosPerSecond}};

constexpr std::uint64_t kMostNanos = std::uint64_t{1} << 63;

// Removes digits from the front, at most 2^63; false above.
bool take_whole(std::string_view& text, std::uint64_t& number) {
  number = 0;
  while (!text.empty() && is_digit(text.front())) {
    if (number > kMostNanos / 10) return false;
    number = number * 10 + static_cast<std::uint64_t>(text.front() - '0');
    if (number > kMostNanos) return false;
    text.remove_prefix(1);
  }
  return true;
}

// Adds one part of a duration, such as `12.5h`.
bool take_part(std::string_view& text, std::uint64_t& total) {
  const std::size_t before = text.size();
  std::uint64_t whole = 0;
  if (!take_whole(text, whole)) return false;
  bool digits = text.size() != before;
  double fraction = 0, scale = 1;
  if (take(text, '.')) {
    while (!text.empty() && is_digit(text.front())) {
      digits = true;
      if (scale < 1e18) {
        fraction = fraction * 10 + (text.front() - '0');
        scale *= 10;
      }
      text.remove_prefix(1);
    }
  }
  if (!digits) return false;
  const std::size_t end = static_cast<std::size_t>(
      std::find_if(text.begin(), text.end(), [](char c) { return c == '.' || is_digit(c); }) - text.begin());
  const auto unit =
      std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return u.name == text.substr(0, end); });
  if (unit == std::end(kUnits)) return false;
  text.remove_prefix(end);
  const auto factor = static_cast<std::uint64_t>(unit->nanos);
  if (whole > kMostNanos / factor) return false;
  const auto extra = static_cast<std::uint64_t>(fraction * (static_cast<double>(factor) / scale));
  total += whole * factor + extra;
  return total <= kMostNanos;
}

struct WordUnit {
  std::string_view forms[3];  // the last one also as a prefix of a longer word
  std::int64_t nanos;
};
constexpr WordUnit kWordUnits[] = {
    {{"ns", "", "nano"}, 1},
    {{"us", "µs", "micro"}, 1000},
    {{"ms", "", "milli"}, 1'000'000},
    {{"s", "", "sec"}, kNanosPerSecond},
    {{"m", "", "min"}, 60 * kNanosPerSecond},
    {{"h", "hr", "hour"}, 3600 * kNanosPerSecond},
    {{"d", "", "day"}, 24 * 3600 * kNanosPerSecond},
    {{"w", "wk", "week"}, 7 * 24 * 3600 * kNanosPerSecond},
};

bool is_unit_byte(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '\xc2' || c == '\xb5'; }

}  // namespace

CivilTime civil(const Instant& instant) {
  const std::int64_t local = instant.seconds + instant.offset;
  std::int64_t days = local / kSecondsPerDay, rest = local % kSecondsPerDay;
  if (rest < 0) rest += kSecondsPerDay, --days;
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t day_of_era = shifted - era * 146097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  CivilTime time;
  time.day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5);
  time.month = static_cast<int>(shifted_month < 10 ? shifted_month + 2 : shifted_month - 10);
  time.year = year_of_era + era * 400 + (time.month <= 1 ? 1 : 0);
  time.day_of_year = static_cast<int>(days - days_from_civil(time.year, 1, 1));
  time.day_of_week = static_cast<int>(((days + 4) % 7 + 7) % 7);
  time.hour = static_cast<int>(rest / 3600);
  time.minute = static_cast<int>(rest / 60 % 60);
  time.second = static_cast<int>(rest % 60);
  return time;
}

std::optional<Instant> parse_rfc3339(std::string_view text) { return read_date_time(text, true); }

std::optional<Instant> parse_open_api_date_time(std::string_view text) {
  return text.empty() ? Instant{} : read_date_time(text, false);
}

std::optional<Instant> parse_date(std::string_view text) {
  const std::optional<std::int64_t> seconds = take_date(text);
  if (!seconds || !text.empty()) return std::nullopt;
  return Instant{*seconds, 0, 0};
}

std::string to_text(const Instant& instant) {
  const CivilTime time = civil(instant);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", time.year, time.month + 1, time.day + 1,
                                 time.hour, time.minute, time.second);
  if (instant.nanos != 0) {
    std::string digits = fmt::format("{:09}", instant.nanos);
    digits.erase(digits.find_last_not_of('0') + 1);
    text += "." + digits;
  }
  if (instant.offset == 0) return text + "Z";
  const int minutes = (instant.offset < 0 ? -instant.offset : instant.offset) / 60;
  return text + fmt::format("{}{:02}:{:02}", instant.offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::optional<std::int64_t> parse_duration(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  std::uint64_t total = 0;
  while (!text.empty()) {
    if (!take_part(text, total)) return std::nullopt;
  }
  if (negative) return static_cast<std::int64_t>(~total + 1);
  if (total >= kMostNanos) return std::nullopt;
  return static_cast<std::int64_t>(total);
}

std::optional<std::int64_t> parse_open_api_duration(std::string_view text) {
  if (const std::optional<std::int64_t> plain = parse_duration(text)) return plain;
  std::int64_t total = 0;
  bool found = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t digits = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    std::size_t word = at;
    while (word < text.size() && (text[word] == ' ' || (text[word] >= '\t' && text[word] <= '\r'))) ++word;
    std::size_t end = word;
    while (end < text.size() && is_unit_byte(text[end])) ++end;
    if (digits == at || end == word) {
      at += digits == at ? 1 : 0;
      continue;
    }
    std::int64_t factor = 0;
    if (std::from_chars(text.data() + digits, text.data() + at, factor).ec != std::errc()) return std::nullopt;
    const std::string unit = lowered(text.substr(word, end - word));
    for (const WordUnit& candidate : kWordUnits) {
      const auto& forms = candidate.forms;
      if (unit != forms[0] && unit != forms[1] && !unit.starts_with(forms[2])) continue;
      total =
          static_cast<std::int64_t>(static_cast<std::uint64_t>(total) +
                                    static_cast<std::uint64_t>(factor) * static_cast<std::uint64_t>(candidate.nanos));
      found = true;
    }
    at = end;
  }
  return found ? std::optional(total) : std::nullopt;
}

std::string duration_text(std::int64_t nanos) {
  const double seconds = static_cast<double>(nanos / kNanosPerSecond) +
                         static_cast<double>(nanos % kNanosPerSecond) / static_cast<double>(kNanosPerSecond);
  char buffer[400];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, seconds, std::chars_format::fixed).ptr;
  return std::string(buffer, end) + "s";
}

std::optional<std::int32_t> parse_zone(std::string_view text) {
  if (text.empty() || text == "UTC") return 0;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<int> {
    if (digits.starts_with('+')) digits.remove_prefix(1);
    int value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  const std::optional<int> hours = number(text.substr(0, colon)), minutes = number(text.substr(colon + 1));
  if (!hours || !minutes || *minutes < 0 || *minutes > 59 || *hours < -1000 || *hours > 1000) return std::nullopt;
  return (*hours * 60 + (text[0] == '-' ? -*minutes : *minutes)) * 60;
}

std::optional<Instant> add(const Instant& instant, std::int64_t nanos) {
  std::int64_t seconds = instant.seconds + nanos / kNanosPerSecond;
  std::int64_t rest = static_cast<std::int64_t>(instant.nanos) + nanos % kNanosPerSecond;
  if (rest < 0) rest += kNanosPerSecond, --seconds;
  if (rest >= kNanosPerSecond) rest -= kNanosPerSecond, ++seconds;
  if (seconds < kFirstSecond || seconds > kLastSecond) return std::nullopt;
  return Instant{seconds, static_cast<std::uint32_t>(rest), instant.offset};
}

std::optional<std::int64_t> difference(const Instant& a, const Instant& b) {
  const std::int64_t seconds = a.seconds - b.seconds;
  std::int64_t nanos = 0;
  if (__builtin_mul_overflow(seconds, kNanosPerSecond, &nanos)) return std::nullopt;
  const std::int64_t rest = static_cast<std::int64_t>(a.nanos) - static_cast<std::int64_t>(b.nanos);
  if (__builtin_add_overflow(nanos, rest, &nanos)) return std::nullopt;
  return nanos;
}

}  // namespace capwright::cel
