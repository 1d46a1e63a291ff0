// The values of `format` that the API server checks in custom resources; others are ignored.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace capwright::crd {

enum class Format : std::uint8_t {
  None,
  Int32,
  Int64,
  Float,
  Double,
  Byte,
  Cidr,
  CreditCard,
  Date,
  DateTime,
  Duration,
  Email,
  HexColor,
  Hostname,
  Ipv4,
  Ipv6,
  Isbn,
  Isbn10,
  Isbn13,
  K8sLongName,
  K8sShortName,
  Mac,
  ObjectId,
  Password,
  RgbColor,
  Ssn,
  Uri,
  Uuid,
  Uuid3,
  Uuid4,
  Uuid5,
};

// None for a format that the server ignores.
Format format_by_name(std::string_view name);
std::string_view format_name(Format);

// Whether a text is valid; true for formats that don't apply to strings.
bool matches_format(std::string_view text, Format);

}  // namespace capwright::crd
