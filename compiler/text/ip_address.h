// IPv4 and IPv6 addresses and networks as numbers: parsing, formatting, and the arithmetic for filters and checks.
// Parses as netaddr does: four decimal octets without leading zeros, RFC 4291 for IPv6, no zone.
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace capwright::ip {

__extension__ typedef unsigned __int128 Number;

enum class Family : std::uint8_t { V4 = 4, V6 = 6 };

// The number of bits of an address.
constexpr int width(Family family) { return family == Family::V4 ? 32 : 128; }
constexpr Number largest(Family family) { return family == Family::V4 ? Number{0xffffffff} : ~Number{0}; }
// "IPv4" or "IPv6".
constexpr std::string_view name(Family family) { return family == Family::V4 ? "IPv4" : "IPv6"; }

// Ordered by family, then by number.
struct Address {
  Family family = Family::V4;
  Number number = 0;
  friend constexpr auto operator<=>(const Address&, const Address&) = default;
};

// An address with a prefix length: a network when its host bits are zero, an interface otherwise.
struct Network {
  Address address;
  int prefix_length = 0;  // 0 to width(family)

  Family family() const { return address.family; }
  int host_bits() const { return width(family()) - prefix_length; }
  Address netmask() const { return {family(), largest(family()) ^ hostmask().number}; }
  Address hostmask() const;
  Address first() const { return {family(), address.number & netmask().number}; }
  Address last() const { return {family(), address.number | hostmask().number}; }
  // The same network with its host bits cleared.
  Network without_host_bits() const { return {first(), prefix_length}; }
  bool has_host_bits() const { return address != first(); }
  bool contains(const Address&) const;
  // Whether all of `other` lies inside this network.
  bool contains(const Network& other) const { return contains(other.first()) && contains(other.last()); }
  bool overlaps(const Network& other) const;
  friend bool operator==(const Network&, const Network&) = default;
};

// Parses an address without a prefix; empty if `text` isn't one of the requested family.
std::optional<Address> parse_address(std::string_view text);
std::optional<Address> parse_address(std::string_view text, Family family);

// `address`, `address/prefix`, `address/netmask` or `address/hostmask`; without a slash the prefix is the full width.
// The prefix is parsed as Python's int() does, so white space around it is accepted.
std::optional<Network> parse_network(std::string_view text);

// IPv4 dotted; IPv6 as inet_ntop writes it: lower case, the first longest run of zeros as `::`, embedded IPv4 dotted.
std::string to_text(const Address&);
std::string to_text(const Network&);  // always includes the prefix

std::string to_decimal(Number);
std::optional<Number> parse_decimal(std::string_view digits);  // ASCII digits below 2^128
// The number of addresses of a network, in decimal: 2^host_bits, up to 2^128.
std::string size_text(const Network&);

// The name of the PTR record, with its final dot: "1.0.0.10.in-addr.arpa.".
std::string reverse_dns(const Address&);

// The fewest networks that cover [first, last] exactly, in order. Both have one family, and first <= last.
std::vector<Network> cover_range(const Address& first, const Address& last);

// `start` + `offset`, which may be negative; empty outside the family's range.
std::optional<Address> advance(const Address& start, std::int64_t offset);

// Classes of addresses (RFC 6890's registries as netaddr reads them).
bool is_loopback(const Address&);
bool is_link_local(const Address&);
bool is_multicast(const Address&);
bool is_globally_reachable(const Address&);
// Ones followed by zeros from the left (netmask), or from the right (hostmask).
bool is_netmask(const Address&);
bool is_hostmask(const Address&);

}  // namespace capwright::ip
