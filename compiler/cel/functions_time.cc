// Fields of timestamps, and durations in units. Fields are in UTC unless an offset is given.
#include "cel/function.h"

namespace capwright::cel {
namespace {

// The instant at the requested offset; empty if the zone isn't an offset.
std::optional<Instant> local(Call& call) {
  Instant instant = call.args[0].as_instant();
  instant.offset = 0;
  if (call.args.size() == 1) return instant;
  const std::optional<std::int32_t> offset = parse_zone(call.text(1));
  if (!offset) return std::nullopt;
  instant.offset = *offset;
  return instant;
}

template <class FieldOf>
Val field(Call& call, FieldOf field_of) {
  const std::optional<Instant> instant = local(call);
  if (!instant)
    return call.fail(to_text(call.args[1]) +
                     " isn't an offset such as `+02:00`; names of time zones are not supported");
  return Val::integer(field_of(civil(*instant)));
}

Val units(Call& call, std::int64_t nanos) { return Val::integer(call.args[0].as_int() / nanos); }

}  // namespace

Val time_year(Call& call) {
  return field(call, [](const CivilTime& t) { return t.year; });
}
Val time_month(Call& call) {
  return field(call, [](const CivilTime& t) { return t.month; });
}
Val time_day_of_year(Call& call) {
  return field(call, [](const CivilTime& t) { return t.day_of_year; });
}
Val time_day_of_month(Call& call) {
  return field(call, [](const CivilTime& t) { return t.day; });
}
Val time_date(Call& call) {
  return field(call, [](const CivilTime& t) { return t.day + 1; });
}
Val time_day_of_week(Call& call) {
  return field(call, [](const CivilTime& t) { return t.day_of_week; });
}

Val time_hours(Call& call) {
  if (call.args[0].is(TypeKind::Duration)) return units(call, 3600 * kNanosPerSecond);
  return field(call, [](const CivilTime& t) { return t.hour; });
}
Val time_minutes(Call& call) {
  if (call.args[0].is(TypeKind::Duration)) return units(call, 60 * kNanosPerSecond);
  return field(call, [](const CivilTime& t) { return t.minute; });
}
Val time_seconds(Call& call) {
  if (call.args[0].is(TypeKind::Duration)) return units(call, kNanosPerSecond);
  return field(call, [](const CivilTime& t) { return t.second; });
}
Val time_milliseconds(Call& call) {
  if (call.args[0].is(TypeKind::Duration)) return units(call, 1'000'000);
  const std::uint32_t nanos = call.args[0].as_instant().nanos;
  return field(call, [nanos](const CivilTime&) { return nanos / 1'000'000; });
}

}  // namespace capwright::cel
