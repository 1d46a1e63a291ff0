// Formats and parses numbers, strings, bytes and addresses as Go does, and hence the API server.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text/ip_address.h"

namespace capwright::cel {

// `%g`: the shortest digits that parse back to the same value; with an exponent below 1e-4 and from 1e6 on (`1e+06`),
// `+Inf`, `NaN`.
std::string double_text(double);
// The values of strconv.ParseFloat: decimal or hexadecimal, `inf`, `nan`; empty out of range.
std::optional<double> parse_double(std::string_view text);

// `%q`: in double quotes, with Go's escapes; unprintable characters as \x, \u or \U.
std::string quoted(std::string_view text);

// Addresses and networks, as Go's net/netip parses and formats them.

// Without a zone, and without IPv4 inside IPv6.
std::optional<ip::Address> read_address(std::string_view text);
// With a prefix length; host bits may be set.
std::optional<ip::Network> read_network(std::string_view text);

std::string address_text(const ip::Address&);
std::string network_text(const ip::Network&);

}  // namespace capwright::cel
