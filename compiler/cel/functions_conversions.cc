// Conversions between types, and sizes.
#include <charconv>
#include <cmath>

#include "cel/function.h"
#include "cel/text_forms.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

Val no_number(Call& call, std::string_view type) {
  return call.fail(to_text(call.args[0]) + " isn't a valid " + std::string(type));
}

template <class Number>
std::optional<Number> read_whole(std::string_view text, bool may_have_sign) {
  if (may_have_sign && text.starts_with('+') && !text.substr(1).starts_with('-')) text.remove_prefix(1);
  Number number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Val same_value(Call& call) { return call.args[0]; }

Val size_of(Call& call) {
  const Val& a = call.args[0];
  std::size_t size = 0;
  if (a.is(TypeKind::String)) size = utf8::length(a.text());
  else if (a.is(TypeKind::Bytes)) size = a.text().size();
  else size = a.size();
  return Val::integer(static_cast<std::int64_t>(size));
}

Val type_of_value(Call& call) {
  // A map has the type map, with or without a schema.
  return Val::type(simple(call.args[0].kind()));
}

Val string_to_bool(Call& call) {
  const std::string_view text = call.text(0);
  for (const std::string_view yes : {"1", "t", "T", "TRUE", "true", "True"}) {
    if (text == yes) return Val::boolean(true);
  }
  for (const std::string_view no : {"0", "f", "F", "FALSE", "false", "False"}) {
    if (text == no) return Val::boolean(false);
  }
  return no_number(call, "bool");
}

Val string_to_bytes(Call& call) { return make_bytes(call.text(0), call.arena); }

Val to_double(Call& call) {
  const Val& a = call.args[0];
  if (a.is(TypeKind::Int)) return Val::floating(static_cast<double>(a.as_int()));
  if (a.is(TypeKind::Uint)) return Val::floating(static_cast<double>(a.as_uint()));
  const std::optional<double> number = parse_double(a.text());
  return number ? Val::floating(*number) : no_number(call, "double");
}

Val string_to_duration(Call& call) {
  const std::optional<std::int64_t> nanos = parse_duration(call.text(0));
  return nanos ? Val::duration(*nanos) : no_number(call, "duration: write it as `1h30m` or `2.5s`");
}

Val to_int(Call& call) {
  const Val& a = call.args[0];
  switch (a.kind()) {
    case TypeKind::Duration: return Val::integer(a.as_int());
    case TypeKind::Timestamp: return Val::integer(a.as_instant().seconds);
    case TypeKind::Uint: return a.as_int() < 0 ? no_number(call, "int of 64 bits") : Val::integer(a.as_int());
    case TypeKind::Double: {
      const double number = a.as_double();
      if (!(number > -kTwoTo63 && number < kTwoTo63)) return no_number(call, "int of 64 bits");
      return Val::integer(static_cast<std::int64_t>(number));
    }
    default: {
      const auto number = read_whole<std::int64_t>(a.text(), true);
      return number ? Val::integer(*number) : no_number(call, "int");
    }
  }
}

Val to_uint(Call& call) {
  const Val& a = call.args[0];
  if (a.is(TypeKind::Int)) return a.as_int() < 0 ? no_number(call, "uint") : Val::unsigned_integer(a.as_uint());
  if (a.is(TypeKind::Double)) {
    const double number = a.as_double();
    if (!(number >= 0 && number < 2 * kTwoTo63)) return no_number(call, "uint of 64 bits");
    return Val::unsigned_integer(static_cast<std::uint64_t>(number));
  }
  const auto number = read_whole<std::uint64_t>(a.text(), false);
  return number ? Val::unsigned_integer(*number) : no_number(call, "uint");
}

Val to_string(Call& call) {
  const Val& a = call.args[0];
  switch (a.kind()) {
    case TypeKind::Bool: return call.make_text(a.as_bool() ? "true" : "false");
    case TypeKind::Bytes:
      return utf8::is_valid(a.text()) ? call.make_text(a.text()) : call.fail("the bytes are not UTF-8");
    case TypeKind::Double: return call.make_text(double_text(a.as_double()));
    case TypeKind::Duration: return call.make_text(duration_text(a.as_int()));
    case TypeKind::Int: return call.make_text(std::to_string(a.as_int()));
    case TypeKind::Uint: return call.make_text(std::to_string(a.as_uint()));
    case TypeKind::Timestamp: return call.make_text(to_text(a.as_instant()));
    case TypeKind::Ip: return call.make_text(address_text(a.network().address));
    default: return call.make_text(network_text(a.network()));
  }
}

Val int_to_timestamp(Call& call) {
  const std::int64_t seconds = call.args[0].as_int();
  if (seconds < kFirstSecond || seconds > kLastSecond) return call.fail("the time is outside the years 1 to 9999");
  return Val::timestamp({seconds, 0, 0});
}

Val string_to_timestamp(Call& call) {
  const std::optional<Instant> instant = parse_rfc3339(call.text(0));
  if (!instant) return no_number(call, "timestamp: write it as `2026-01-02T03:04:05Z`");
  if (instant->seconds < kFirstSecond || instant->seconds > kLastSecond) {
    return call.fail("the time is outside the years 1 to 9999");
  }
  return Val::timestamp(*instant);
}

}  // namespace capwright::cel
