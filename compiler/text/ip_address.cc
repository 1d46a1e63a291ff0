// Parsing, formatting and arithmetic of addresses. IPv4 uses the low 32 bits of a 128-bit number.
#include "text/ip_address.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <span>

#include "text/python_text.h"

namespace capwright::ip {
namespace {

constexpr int kHextets = 8;
using Hextets = std::array<std::uint16_t, kHextets>;

// 2^bits - 1, for 0 to 128 bits.
Number ones(int bits) { return bits >= 128 ? ~Number{0} : (Number{1} << bits) - 1; }

// A decimal octet without leading zeros; -1 if `text` isn't one.
int parse_octet(std::string_view text) {
  if (text.empty() || text.size() > 3 || (text.size() > 1 && text[0] == '0')) return -1;
  int octet = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return -1;
    octet = octet * 10 + (c - '0');
  }
  return octet <= 255 ? octet : -1;
}

std::optional<Number> parse_v4(std::string_view text) {
  Number number = 0;
  for (int i = 0; i < 4; ++i) {
    const std::size_t point = text.find('.');
    if ((point == std::string_view::npos) != (i == 3)) return std::nullopt;
    const int octet = parse_octet(text.substr(0, point));
    if (octet < 0) return std::nullopt;
    number = number << 8 | static_cast<Number>(octet);
    text.remove_prefix(i == 3 ? text.size() : point + 1);
  }
  return number;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The groups of one side of `::`, separated by colons; the last may be a dotted IPv4 address if `tail`.
bool parse_hextets(std::string_view text, bool tail, std::vector<std::uint16_t>& out) {
  while (!text.empty()) {
    const std::size_t colon = text.find(':');
    const std::string_view group = text.substr(0, colon);
    if (tail && colon == std::string_view::npos && group.find('.') != std::string_view::npos) {
      const auto v4 = parse_v4(group);
      if (!v4) return false;
      out.push_back(static_cast<std::uint16_t>(*v4 >> 16));
      out.push_back(static_cast<std::uint16_t>(*v4 & 0xffff));
      return true;
    }
    if (group.empty() || group.size() > 4) return false;
    unsigned value = 0;
    for (const char c : group) {
      const int digit = hex_digit(c);
      if (digit < 0) return false;
      value = value << 4 | static_cast<unsigned>(digit);
    }
    out.push_back(static_cast<std::uint16_t>(value));
    if (colon == std::string_view::npos) return true;
    text.remove_prefix(colon + 1);
    if (text.empty()) return false;  // a trailing colon
  }
  return true;
}

std::optional<Number> parse_v6(std::string_view text) {
  std::vector<std::uint16_t> head, tail;
  const std::size_t gap = text.find("::");
  const bool compact = gap != std::string_view::npos;
  if (!parse_hextets(text.substr(0, gap), !compact, head)) return std::nullopt;
  if (compact && !parse_hextets(text.substr(gap + 2), true, tail)) return std::nullopt;
  const std::size_t groups = head.size() + tail.size();
  if (compact ? groups >= kHextets : groups != kHextets) return std::nullopt;
  head.resize(kHextets - tail.size());
  head.insert(head.end(), tail.begin(), tail.end());
  Number number = 0;
  for (const std::uint16_t group : head) number = number << 16 | group;
  return number;
}

std::string v4_text(Number number) {
  const auto n = static_cast<std::uint32_t>(number);
  return fmt::format("{}.{}.{}.{}", n >> 24, n >> 16 & 0xff, n >> 8 & 0xff, n & 0xff);
}

Hextets hextets_of(Number number) {
  Hextets groups{};
  for (int i = 0; i < kHextets; ++i)
    groups[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(number >> (112 - 16 * i));
  return groups;
}

struct Run {
  std::size_t begin = 0, size = 0;
};

// The first of the longest runs of two or more zero groups.
Run longest_zeros(const Hextets& groups) {
  Run best, run;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i] != 0) run = {};
    else if (run.size == 0) run = {i, 1};
    else ++run.size;
    if (run.size > best.size) best = run;
  }
  return best.size >= 2 ? best : Run{};
}

std::string v6_text(Number number) {
  const Hextets groups = hextets_of(number);
  const Run zeros = longest_zeros(groups);
  const bool embeds_v4 = zeros.begin == 0 && (zeros.size == 6 || (zeros.size == 5 && groups[5] == 0xffff));
  std::string out;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (zeros.size != 0 && i == zeros.begin) {
      out += "::";
      i += zeros.size - 1;
      continue;
    }
    if (!out.empty() && out.back() != ':') out += ':';
    if (embeds_v4 && i == 6) return out + v4_text(number & 0xffffffff);
    out += fmt::format("{:x}", groups[i]);
  }
  return out;
}

bool in_any(const Address& address, std::span<const Network> networks) {
  return std::any_of(networks.begin(), networks.end(), [&](const Network& n) { return n.contains(address); });
}

constexpr Network v4(unsigned a, unsigned b, unsigned c, unsigned d, int prefix_length) {
  return {{Family::V4, Number{a} << 24 | Number{b} << 16 | Number{c} << 8 | d}, prefix_length};
}
// `head`: the first 64 bits; `tail`: the last 64.
constexpr Network v6(std::uint64_t head, std::uint64_t tail, int prefix_length) {
  return {{Family::V6, Number{head} << 64 | tail}, prefix_length};
}

// IANA's special-purpose registries: blocks that are not globally reachable, then the globally reachable blocks in
// them.
constexpr Network kNotGlobal[] = {
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(169, 254, 0, 0, 16),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 168, 0, 0, 16),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(240, 0, 0, 0, 4),
    v6(0, 1, 128),                     // ::1
    v6(0, 0, 128),                     // ::
    v6(0, 0xffff'0000'0000, 96),       // ::ffff:0:0
    v6(0x0064'ff9b'0001'0000, 0, 48),  // 64:ff9b:1::
    v6(0x0100'0000'0000'0000, 0, 64),  // 100::
    v6(0x2001'0000'0000'0000, 0, 23),  // 2001::
    v6(0x2001'0db8'0000'0000, 0, 32),  // 2001:db8::
    v6(0x2002'0000'0000'0000, 0, 16),  // 2002::
    v6(0xfc00'0000'0000'0000, 0, 7),   // fc00::
    v6(0xfe80'0000'0000'0000, 0, 10),  // fe80::
};
constexpr Network kGlobalInside[] = {
    v4(192, 0, 0, 9, 32),
    v4(192, 0, 0, 10, 32),
    v6(0x2001'0001'0000'0000, 1, 128),  // 2001:1::1
    v6(0x2001'0001'0000'0000, 2, 128),  // 2001:1::2
    v6(0x2001'0003'0000'0000, 0, 32),   // 2001:3::
    v6(0x2001'0004'0112'0000, 0, 48),   // 2001:4:112::
    v6(0x2001'0020'0000'0000, 0, 28),   // 2001:20::
    v6(0x2001'0030'0000'0000, 0, 28),   // 2001:30::
};
constexpr Network kLoopback[] = {v4(127, 0, 0, 0, 8), v6(0, 1, 128)};
constexpr Network kLinkLocal[] = {v4(169, 254, 0, 0, 16), v6(0xfe80'0000'0000'0000, 0, 10)};
constexpr Network kMulticast[] = {v4(224, 0, 0, 0, 4), v6(0xff00'0000'0000'0000, 0, 8)};

}  // namespace

Address Network::hostmask() const { return {family(), ones(host_bits())}; }

bool Network::contains(const Address& other) const {
  return other.family == family() && first() <= other && other <= last();
}

bool Network::overlaps(const Network& other) const {
  return family() == other.family() && first() <= other.last() && other.first() <= last();
}

std::optional<Address> parse_address(std::string_view text, Family family) {
  const auto number = family == Family::V4 ? parse_v4(text) : parse_v6(text);
  if (!number) return std::nullopt;
  return Address{family, *number};
}

std::optional<Address> parse_address(std::string_view text) {
  const auto address = parse_address(text, Family::V4);
  return address ? address : parse_address(text, Family::V6);
}

std::optional<Network> parse_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_address(text.substr(0, slash));
  if (!address) return std::nullopt;
  const int bits = width(address->family);
  if (slash == std::string_view::npos) return Network{*address, bits};
  const std::string_view prefix = text.substr(slash + 1);
  if (const auto number = python::parse_int(prefix)) {
    const auto value = number->value();
    if (!value || *value < 0 || *value > bits) return std::nullopt;
    return Network{*address, static_cast<int>(*value)};
  }
  const auto mask = parse_address(prefix, address->family);
  if (!mask) return std::nullopt;
  for (int length = 0; length <= bits; ++length) {
    const Network candidate{*address, length};
    if (is_netmask(*mask) ? candidate.netmask() == *mask : candidate.hostmask() == *mask) return candidate;
  }
  return std::nullopt;
}

std::string to_text(const Address& address) {
  return address.family == Family::V4 ? v4_text(address.number) : v6_text(address.number);
}

std::string to_text(const Network& network) {
  return fmt::format("{}/{}", to_text(network.address), network.prefix_length);
}

std::string to_decimal(Number number) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<Number> parse_decimal(std::string_view digits) {
  Number number = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<Number>(c - '0');
    if (number > (~Number{0} - digit) / 10) return std::nullopt;
    number = number * 10 + digit;
  }
  return digits.empty() ? std::nullopt : std::optional(number);
}

std::string size_text(const Network& network) {
  if (network.host_bits() == 128) return "340282366920938463463374607431768211456";
  return to_decimal(Number{1} << network.host_bits());
}

std::string reverse_dns(const Address& address) {
  std::string out;
  Number rest = address.number;
  if (address.family == Family::V4) {
    for (int i = 0; i < 4; ++i, rest >>= 8) out += fmt::format("{}.", static_cast<unsigned>(rest & 0xff));
    return out + "in-addr.arpa.";
  }
  for (int i = 0; i < 32; ++i, rest >>= 4) out += fmt::format("{:x}.", static_cast<unsigned>(rest & 0xf));
  return out + "ip6.arpa.";
}

std::vector<Network> cover_range(const Address& first, const Address& last) {
  std::vector<Network> networks;
  const int bits = width(first.family);
  Address next = first;
  while (true) {
    // The largest block that starts at `next` and ends within the range.
    Network block{next, bits};
    while (block.prefix_length > 0) {
      const Network larger{next, block.prefix_length - 1};
      if (larger.has_host_bits() || larger.last() > last) break;
      block = larger;
    }
    networks.push_back(block);
    if (block.last() >= last) return networks;
    next.number = block.last().number + 1;
  }
}

std::optional<Address> advance(const Address& start, std::int64_t offset) {
  const Number distance = offset < 0 ? -static_cast<Number>(offset) : static_cast<Number>(offset);
  if (offset < 0 ? distance > start.number : distance > largest(start.family) - start.number) return std::nullopt;
  return Address{start.family, offset < 0 ? start.number - distance : start.number + distance};
}

bool is_loopback(const Address& address) { return in_any(address, kLoopback); }
bool is_link_local(const Address& address) { return in_any(address, kLinkLocal); }
bool is_multicast(const Address& address) { return in_any(address, kMulticast); }

bool is_globally_reachable(const Address& address) {
  return !in_any(address, kNotGlobal) || in_any(address, kGlobalInside);
}

bool is_netmask(const Address& address) {
  return is_hostmask({address.family, address.number ^ largest(address.family)});
}

bool is_hostmask(const Address& address) { return (address.number & (address.number + 1)) == 0; }

}  // namespace capwright::ip
