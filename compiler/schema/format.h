// The values of `format` that can be asserted: string formats that RFCs define.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace capwright::schema {

enum class Format : std::uint8_t {
  None,
  Date,
  DateTime,
  Duration,
  Email,
  Hostname,
  Ipv4,
  Ipv6,
  JsonPointer,
  Regex,
  RelativeJsonPointer,
  Time,
  Uri,
  UriReference,
  UriTemplate,
  Uuid,
};

// None for an unknown name: JSON Schema requires that it is ignored.
Format format_by_name(std::string_view name);

// The name above that is meant by an unknown one; empty for a known name, one that other tools define, and one that is
// near to none.
std::string_view misspelt_format(std::string_view name);

bool matches_format(std::string_view text, Format);

// "an IPv4 address such as `192.0.2.10`"
std::string_view format_expectation(Format);

}  // namespace capwright::schema
