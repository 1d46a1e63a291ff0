// Validates each format by its RFC: regular expressions for regular grammars, code for ranges of numbers.
#include "schema/format.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/ascii.h"
#include "base/check.h"
#include "diag/suggest.h"
#include "text/ip_address.h"
#include "text/regex.h"

namespace capwright::schema {
namespace {

struct FormatName {
  std::string_view name;
  Format format;
  std::string_view expectation;
};
constexpr std::array kFormats{
    FormatName{"date", Format::Date, "a date such as `2024-12-31`"},
    FormatName{"date-time", Format::DateTime, "a date and time such as `2024-12-31T23:59:59Z`"},
    FormatName{"duration", Format::Duration, "an ISO 8601 duration such as `P1DT12H`"},
    FormatName{"email", Format::Email, "an e-mail address such as `ops@example.com`"},
    FormatName{"hostname", Format::Hostname, "a host name such as `api.example.com`"},
    FormatName{"ipv4", Format::Ipv4, "an IPv4 address such as `192.0.2.10`"},
    FormatName{"ipv6", Format::Ipv6, "an IPv6 address such as `2001:db8::10`"},
    FormatName{"json-pointer", Format::JsonPointer, "a JSON pointer such as `/spec/replicas`"},
    FormatName{"regex", Format::Regex, "a regular expression"},
    FormatName{"relative-json-pointer", Format::RelativeJsonPointer, "a relative JSON pointer such as `1/name`"},
    FormatName{"time", Format::Time, "a time such as `23:59:59Z`"},
    FormatName{"uri", Format::Uri, "a URI such as `https://example.com/path`"},
    FormatName{"uri-reference", Format::UriReference, "a URI or a path relative to one"},
    FormatName{"uri-template", Format::UriTemplate, "a URI template such as `https://example.com/{name}`"},
    FormatName{"uuid", Format::Uuid, "a UUID such as `123e4567-e89b-12d3-a456-426614174000`"},
};

Regex compiled(std::string_view pattern) {
  RegexFault fault;
  std::optional<Regex> regex = Regex::compile(pattern, {}, fault);
  CW_CHECK(regex.has_value(), "a pattern of our own is refused");
  return *regex;
}

// The value of the two digits at `at`; -1 if they aren't digits.
int two_digits(std::string_view text, std::size_t at) {
  if (at + 2 > text.size() || !is_digit(text[at]) || !is_digit(text[at + 1])) return -1;
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

// RFC 3339, full-date.
bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int century = two_digits(text, 0), rest = two_digits(text, 2);
  const int month = two_digits(text, 5), day = two_digits(text, 8);
  if (century < 0 || rest < 0 || month < 1 || month > 12 || day < 1) return false;
  const int year = century * 100 + rest;
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return day <= kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

// RFC 3339, full-time; a leap second is valid only at the end of a day in UTC.
bool is_time(std::string_view text) {
  if (text.size() < 9 || text[2] != ':' || text[5] != ':') return false;
  const int hour = two_digits(text, 0), minute = two_digits(text, 3), second = two_digits(text, 6);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  std::size_t at = 8;
  if (text[at] == '.') {
    const std::size_t first = ++at;
    while (at < text.size() && is_digit(text[at])) ++at;
    if (at == first) return false;
  }
  const std::string_view zone = text.substr(at);
  int offset = 0;
  if (zone != "Z" && zone != "z") {
    const bool shaped = zone.size() == 6 && (zone[0] == '+' || zone[0] == '-') && zone[3] == ':';
    const int hours = two_digits(zone, 1), minutes = shaped ? two_digits(zone, 4) : -1;
    if (!shaped || hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
    offset = (hours * 60 + minutes) * (zone[0] == '+' ? 1 : -1);
  }
  constexpr int kDay = 24 * 60;
  return second < 60 || (hour * 60 + minute - offset + 2 * kDay) % kDay == kDay - 1;
}

bool is_date_time(std::string_view text) {
  return text.size() > 11 && (text[10] == 'T' || text[10] == 't') && is_date(text.substr(0, 10)) &&
         is_time(text.substr(11));
}

bool is_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex = is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (dash ? c != '-' : !hex) return false;
  }
  return true;
}

// RFC 1123: labels of letters, digits and inner hyphens.
bool is_hostname(std::string_view text) {
  static const Regex kHostname = compiled(
      "^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)*"
      "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$");
  return text.size() <= 253 && kHostname.matches(text);
}

// RFC 5321: a dot-atom or quoted local part, and a host name or an address in brackets.
bool is_email(std::string_view text) {
  static const Regex kLocal = compiled(
      "^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
      "|\"(?:[\\x20\\x21\\x23-\\x5B\\x5D-\\x7E]|\\\\[\\x20-\\x7E])*\")$");
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos || at > 64 || !kLocal.matches(text.substr(0, at))) return false;
  const std::string_view domain = text.substr(at + 1);
  if (!domain.starts_with('[')) return is_hostname(domain);
  if (!domain.ends_with(']')) return false;
  const std::string_view address = domain.substr(1, domain.size() - 2);
  const bool is_v6 = address.starts_with("IPv6:");
  return is_v6 ? ip::parse_address(address.substr(5), ip::Family::V6).has_value()
               : ip::parse_address(address, ip::Family::V4).has_value();
}

// RFC 3986: the characters and the shape of the authority, without scheme-specific rules.
bool is_uri(std::string_view text, bool relative) {
  static const Regex kUri = compiled(
      "^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://(?:(?:[\\w.~!$&'()*+,;=:-]|%[0-9A-Fa-f]{2})*@)?"
      "(?:\\[(?:[0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\\.[\\w.~!$&'()*+,;=:-]+)\\]|(?:[\\w.~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*)"
      "(?::[0-9]*)?(?:/(?:[\\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)?"
      "|(?:[\\w.~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*)"
      "(?:\\?(?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?(?:#(?:[\\w.~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$");
  const std::optional<RegexMatch> match = kUri.find(text);
  return match && (relative || match->at(1).took_part());
}

bool is_regex(std::string_view text) {
  RegexFault fault;
  return Regex::compile(text, {}, fault).has_value() || fault.unsupported;
}

}  // namespace

Format format_by_name(std::string_view name) {
  const auto found =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const FormatName& f) { return f.name == name; });
  return found == kFormats.end() ? Format::None : found->format;
}

std::string_view misspelt_format(std::string_view name) {
  // Those of 2020-12 and draft 7 that aren't asserted, and near ones of OpenAPI's registry.
  static constexpr std::array<std::string_view, 8> kOthers{
      "idn-email", "idn-hostname", "iri", "iri-reference", "date-time-local", "time-local", "http-date", "char"};
  if (format_by_name(name) != Format::None) return {};
  if (std::find(kOthers.begin(), kOthers.end(), name) != kOthers.end()) return {};
  std::array<std::string_view, kFormats.size()> names;
  std::transform(kFormats.begin(), kFormats.end(), names.begin(), [](const FormatName& format) { return format.name; });
  return nearest(name, names);
}

std::string_view format_expectation(Format format) {
  const auto found =
      std::find_if(kFormats.begin(), kFormats.end(), [&](const FormatName& f) { return f.format == format; });
  return found == kFormats.end() ? "text" : found->expectation;
}

bool matches_format(std::string_view text, Format format) {
  switch (format) {
    case Format::None: return true;
    case Format::Date: return is_date(text);
    case Format::DateTime: return is_date_time(text);
    case Format::Time: return is_time(text);
    case Format::Email: return is_email(text);
    case Format::Hostname: return is_hostname(text);
    case Format::Ipv4: return ip::parse_address(text, ip::Family::V4).has_value();
    case Format::Ipv6: return ip::parse_address(text, ip::Family::V6).has_value();
    case Format::Regex: return is_regex(text);
    case Format::Uri: return is_uri(text, false);
    case Format::UriReference: return is_uri(text, true);
    case Format::Uuid: return is_uuid(text);
    case Format::Duration: {
      static const Regex kDuration = compiled(
          "^P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
          "(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?"
          "|T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))$");
      return kDuration.matches(text);
    }
    case Format::JsonPointer: {
      static const Regex kPointer = compiled("^(?:/(?:[^~/]|~[01])*)*$");
      return kPointer.matches(text);
    }
    case Format::RelativeJsonPointer: {
      static const Regex kPointer = compiled("^(?:0|[1-9][0-9]*)(?:#|(?:/(?:[^~/]|~[01])*)*)$");
      return kPointer.matches(text);
    }
    case Format::UriTemplate: {
      static const Regex kTemplate = compiled("^(?:[^\\x00-\\x20\"'<>\\\\^`{|}]|\\{[^{}\\s]+\\})*$");
      return kTemplate.matches(text);
    }
  }
  return true;
}

}  // namespace capwright::schema
