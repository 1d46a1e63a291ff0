// Parses and formats addresses and networks as Go's net/netip does.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "text/ip_address.h"

namespace capwright::cel {

// Without a zone, and without IPv4 inside IPv6.
std::optional<ip::Address> read_address(std::string_view text);
// With a prefix length; host bits may be set.
std::optional<ip::Network> read_network(std::string_view text);

std::string address_text(const ip::Address&);
std::string network_text(const ip::Network&);

}  // namespace capwright::cel
