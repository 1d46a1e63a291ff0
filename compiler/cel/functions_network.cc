// Addresses, networks and URLs.
#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "cel/function.h"
#include "cel/text_forms.h"
#include "cel/url.h"

namespace capwright::cel {
namespace {

constexpr ip::Number kMappedPrefix = static_cast<ip::Number>(0xffff) << 32;

bool is_mapped(const ip::Address& address) {
  return address.family == ip::Family::V6 && address.number >> 32 == kMappedPrefix >> 32;
}

Val make_ip(const ip::Address& address, Arena& arena) {
  return Val::ip(arena.make<ip::Network>(address, ip::width(address.family)));
}
Val make_cidr(const ip::Network& network, Arena& arena) { return Val::cidr(arena.make<ip::Network>(network)); }

Val no_address(Call& call, std::size_t index = 0) {
  return call.fail(to_text(call.args[index]) + " isn't an IP address (without a zone, and not IPv4 written as IPv6)");
}
Val no_network(Call& call, std::size_t index = 0) {
  return call.fail(to_text(call.args[index]) + " isn't a network: write it as `10.0.0.0/16`");
}

const ip::Address& address_of(Call& call) { return call.args[0].network().address; }

// Whether the first `prefix` bits are equal.
bool shares_prefix(const ip::Network& network, const ip::Address& address) {
  if (network.family() != address.family) return false;
  const int host_bits = ip::width(address.family) - network.prefix_length;
  if (host_bits >= 128) return true;
  return network.address.number >> host_bits == address.number >> host_bits;
}

}  // namespace

std::optional<ip::Address> read_address(std::string_view text) {
  const std::optional<ip::Address> address = ip::parse_address(text);
  return address && is_mapped(*address) ? std::nullopt : address;
}

std::optional<ip::Network> read_network(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<ip::Address> address = read_address(text.substr(0, slash));
  const std::string_view digits = text.substr(slash + 1);
  if (!address || digits.empty() || digits.size() > 3 || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
  int prefix = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    prefix = prefix * 10 + (c - '0');
  }
  if (prefix > ip::width(address->family)) return std::nullopt;
  return ip::Network{*address, prefix};
}

std::string address_text(const ip::Address& address) {
  std::string text = ip::to_text(address);
  const std::size_t tail = text.rfind(':');
  if (address.family == ip::Family::V4 || text.find('.') == std::string::npos) return text;
  // Go writes the last four bytes as two groups.
  const auto low = static_cast<std::uint32_t>(address.number & 0xffffffff);
  const std::string head = text.substr(0, tail + 1);
  return low >> 16 == 0 && head == "::" ? fmt::format("::{:x}", low & 0xffff)
                                        : fmt::format("{}{:x}:{:x}", head, low >> 16, low & 0xffff);
}

std::string network_text(const ip::Network& network) {
  return address_text(network.address) + "/" + std::to_string(network.prefix_length);
}

Val string_to_ip(Call& call) {
  const std::optional<ip::Address> address = read_address(call.text(0));
  return address ? make_ip(*address, call.arena) : no_address(call);
}

Val cidr_to_ip(Call& call) { return make_ip(address_of(call), call.arena); }
Val is_ip(Call& call) { return Val::boolean(read_address(call.text(0)).has_value()); }

Val ip_is_canonical(Call& call) {
  const std::optional<ip::Address> address = read_address(call.text(0));
  return address ? Val::boolean(address_text(*address) == call.text(0)) : no_address(call);
}

Val ip_family(Call& call) { return Val::integer(static_cast<std::int64_t>(address_of(call).family)); }
Val is_unspecified(Call& call) { return Val::boolean(address_of(call).number == 0); }

Val is_loopback(Call& call) {
  const ip::Address& a = address_of(call);
  return Val::boolean(a.family == ip::Family::V4 ? a.number >> 24 == 127 : a.number == 1);
}

Val is_link_local_multicast(Call& call) {
  const ip::Address& a = address_of(call);
  return Val::boolean(a.family == ip::Family::V4 ? a.number >> 8 == 0xe00000 : (a.number >> 112 & 0xff0f) == 0xff02);
}

Val is_link_local_unicast(Call& call) {
  const ip::Address& a = address_of(call);
  return Val::boolean(a.family == ip::Family::V4 ? a.number >> 16 == 0xa9fe : (a.number >> 112 & 0xffc0) == 0xfe80);
}

Val is_global_unicast(Call& call) {
  const ip::Address& a = address_of(call);
  const bool broadcast = a.family == ip::Family::V4 && a.number == ip::largest(ip::Family::V4);
  const bool multicast = a.family == ip::Family::V4 ? a.number >> 28 == 0xe : a.number >> 120 == 0xff;
  return Val::boolean(!broadcast && !multicast && a.number != 0 && !is_loopback(call).as_bool() &&
                      !is_link_local_unicast(call).as_bool());
}

Val string_to_cidr(Call& call) {
  const std::optional<ip::Network> network = read_network(call.text(0));
  return network ? make_cidr(*network, call.arena) : no_network(call);
}

Val is_cidr(Call& call) { return Val::boolean(read_network(call.text(0)).has_value()); }

Val contains_ip(Call& call) {
  std::optional<ip::Address> address;
  if (call.args[1].is(TypeKind::Ip)) address = call.args[1].network().address;
  else address = read_address(call.text(1));
  return address ? Val::boolean(shares_prefix(call.args[0].network(), *address)) : no_address(call, 1);
}

Val contains_cidr(Call& call) {
  std::optional<ip::Network> inner;
  if (call.args[1].is(TypeKind::Cidr)) inner = call.args[1].network();
  else inner = read_network(call.text(1));
  if (!inner) return no_network(call, 1);
  const ip::Network& outer = call.args[0].network();
  return Val::boolean(outer.prefix_length <= inner->prefix_length && shares_prefix(outer, inner->address));
}

Val prefix_length(Call& call) { return Val::integer(call.args[0].network().prefix_length); }
Val masked(Call& call) { return make_cidr(call.args[0].network().without_host_bits(), call.arena); }

Val string_to_url(Call& call) {
  const std::optional<Url> url = parse_url(call.text(0), call.arena);
  if (!url) return call.fail(to_text(call.args[0]) + " isn't a URL with a scheme or an absolute path");
  return Val::url(call.arena.make<Url>(*url));
}

Val is_url_text(Call& call) { return Val::boolean(is_url(call.text(0))); }
Val url_scheme(Call& call) { return call.make_text(call.args[0].as_url().scheme); }
Val url_host(Call& call) { return call.make_text(call.args[0].as_url().host); }
Val url_hostname(Call& call) { return call.make_text(hostname(call.args[0].as_url())); }
Val url_port(Call& call) { return call.make_text(port(call.args[0].as_url())); }
Val url_path(Call& call) { return call.make_text(call.args[0].as_url().escaped_path); }

Val url_query(Call& call) {
  constexpr std::size_t kBytesOfPair = 256;  // in both lists, in addition to its text
  const std::string_view query = call.args[0].as_url().query;
  const auto most_pairs = static_cast<std::size_t>(std::count(query.begin(), query.end(), '&')) + 1;
  if (!call.bounds.step(most_pairs + query.size() / kBytesOfStep) || !call.bounds.has_room(most_pairs * kBytesOfPair))
    return call.stopped();
  std::map<std::string, std::vector<std::string>> grouped;
  for (const auto& [key, value] : query_pairs(query)) grouped[key].push_back(value);
  std::vector<Pair> pairs;
  for (const auto& [key, values] : grouped)
    pairs.push_back({call.make_text(key), make_string_list(values, call.arena)});
  return make_map(pairs, call.arena);
}

}  // namespace capwright::cel
