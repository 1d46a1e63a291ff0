// The queries of `ipaddr`, `ipv4` and `ipv6`: one function each, in a table sorted by name.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>

#include "diag/catalog/template_extras.h"
#include "diag/suggest.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/ip_operand.h"
#include "text/python_text.h"

namespace capwright::jinja::extras {
namespace {

using ip::Address;
using ip::Family;
using ip::Network;

// "No" is none if Ansible's function returns without a value, and false if it returns that: they print differently.
Value none() { return Value::null(); }
Value no() { return Value::boolean(false); }

struct Query {
  Runtime& runtime;
  const IpOperand& operand;
  std::string_view name;

  const Network& network() const { return operand.network; }
  const Address& address() const { return operand.network.address; }
  bool has_many() const { return network().host_bits() > 0; }
  Value text(const std::string& bytes) const { return runtime.string(bytes); }
  Value text(const Address& value) const { return text_value(runtime, value); }
  Value text(const Network& value) const { return text_value(runtime, value); }
  // The operand itself if `holds`.
  Value chosen(bool holds) const { return holds ? operand.value : none(); }
  // Queries about a network don't apply to an address without a prefix.
  bool lacks_network() const {
    if (operand.is_network) return false;
    const std::string text = shown(operand.value, ip::to_text(address()));
    if (Diagnostic* fault = runtime.report(diag::query_needs_network, runtime.here, name, text)) {
      fault->advise(fmt::format("add the prefix, such as `{}/24`", text));
    }
    return true;
  }
};

Value query_default(const Query& q) { return q.operand.is_network ? q.text(q.network()) : q.text(q.address()); }

// An address that a host can have: netaddr has no broadcast address for /31 and /127.
Value query_address(const Query& q) {
  const bool is_host = q.network().host_bits() <= 1 || q.network().has_host_bits() || q.address().family == Family::V6;
  return is_host ? q.text(q.address()) : none();
}
Value query_host(const Query& q) {
  return q.network().host_bits() <= 1 || q.network().has_host_bits() ? q.text(q.network()) : none();
}
Value query_address_prefix(const Query& q) {
  const bool is_edge = q.address() == q.network().first() || q.address() == q.network().last();
  return q.network().host_bits() > 1 && is_edge ? no() : q.text(q.network());
}
Value query_bool(const Query&) { return Value::boolean(true); }
Value query_broadcast(const Query& q) { return q.network().host_bits() > 1 ? q.text(q.network().last()) : none(); }
Value query_cidr(const Query& q) { return q.text(q.network()); }
Value query_first_usable(const Query& q) {
  if (q.lacks_network()) return Value::error();
  return q.has_many() ? q.text(first_usable(q.network())) : none();
}
Value query_last_usable(const Query& q) {
  if (q.lacks_network()) return Value::error();
  return q.has_many() ? q.text(last_usable(q.network())) : none();
}
Value query_range_usable(const Query& q) {
  if (q.lacks_network()) return Value::error();
  if (!q.has_many()) return none();
  return q.text(fmt::format("{}-{}", ip::to_text(first_usable(q.network())), ip::to_text(last_usable(q.network()))));
}
Value query_hostmask(const Query& q) { return q.text(q.network().hostmask()); }
Value query_netmask(const Query& q) { return q.text(q.network().netmask()); }
Value query_network(const Query& q) { return q.text(q.network().first()); }
Value query_subnet(const Query& q) { return q.text(q.network().without_host_bits()); }
Value query_network_netmask(const Query& q) {
  return q.text(fmt::format("{} {}", ip::to_text(q.network().first()), ip::to_text(q.network().netmask())));
}
Value query_network_wildcard(const Query& q) {
  return q.text(fmt::format("{} {}", ip::to_text(q.network().first()), ip::to_text(q.network().hostmask())));
}
Value query_int(const Query& q) {
  const std::string number = ip::to_decimal(q.address().number);
  if (!q.operand.is_network) return integer_value(q.runtime, number);
  return q.text(fmt::format("{}/{}", number, q.network().prefix_length));
}

// The address of an interface, not that of its network.
bool is_interface(const Query& q) {
  return q.network().host_bits() == 1 || (q.has_many() && q.network().has_host_bits());
}
Value query_ip_prefix(const Query& q) { return is_interface(q) ? q.text(q.network()) : none(); }
Value query_ip_netmask(const Query& q) {
  if (!is_interface(q)) return none();
  return q.text(fmt::format("{} {}", ip::to_text(q.address()), ip::to_text(q.network().netmask())));
}

constexpr ip::Number kMapped = ip::Number{0xffff} << 32;  // ::ffff:0:0/96

Value query_ipv4(const Query& q) {
  if (q.address().family == Family::V4) return q.operand.value;
  const ip::Number number = q.address().number;
  const bool mapped = number >> 32 == 0xffff;
  if ((!mapped && number > ip::largest(Family::V4)) || q.network().prefix_length < 96) return no();
  return q.text(Network{{Family::V4, mapped ? number - kMapped : number}, q.network().prefix_length - 96});
}
Value query_ipv6(const Query& q) {
  if (q.address().family == Family::V6) return q.operand.value;
  return q.text(Network{{Family::V6, q.address().number + kMapped}, q.network().prefix_length + 96});
}

Value query_link_local(const Query& q) { return q.chosen(ip::is_link_local(q.address())); }
Value query_loopback(const Query& q) { return q.chosen(ip::is_loopback(q.address())); }
bool is_multicast(const Network& network) {
  return ip::is_multicast(network.first()) && ip::is_multicast(network.last());
}
Value query_multicast(const Query& q) { return q.chosen(is_multicast(q.network())); }
Value query_unicast(const Query& q) { return q.chosen(!is_multicast(q.network())); }
Value query_private(const Query& q) { return q.chosen(!ip::is_globally_reachable(q.address())); }
bool is_public(const Address& address) {
  return !ip::is_multicast(address) && ip::is_globally_reachable(address) && !ip::is_loopback(address) &&
         !ip::is_netmask(address) && !ip::is_hostmask(address);
}
Value query_public(const Query& q) { return q.chosen(is_public(q.address())); }

Value query_net(const Query& q) { return stands_for_network(q.network()) ? q.text(q.network()) : none(); }

Value usable_neighbour(const Query& q, std::int64_t distance) {
  if (q.lacks_network()) return Value::error();
  if (!q.has_many()) return none();
  const auto next = ip::advance(q.address(), distance);
  const bool usable = next && first_usable(q.network()) <= *next && *next <= last_usable(q.network());
  return usable ? q.text(*next) : none();
}
Value query_next_usable(const Query& q) { return usable_neighbour(q, 1); }
Value query_previous_usable(const Query& q) { return usable_neighbour(q, -1); }

Value query_peer(const Query& q) {
  if (q.lacks_network()) return Value::error();
  const int bits = q.network().host_bits();
  const Address address = q.address();
  if (bits == 1) return q.text(Address{address.family, address.number ^ 1});
  const bool is_edge = address == q.network().first() || address == q.network().last();
  if (bits == 2 && !is_edge) return q.text(Address{address.family, address.number ^ 3});
  const std::string text = shown(q.operand.value, ip::to_text(q.network()));
  if (Diagnostic* fault = q.runtime.report(diag::network_without_peer, q.runtime.here, text)) {
    fault->note(bits == 2 ? "the network's own address and its broadcast address have no peer"
                          : "only the two hosts of a point-to-point network (/31, /30, /127, /126) are peers");
  }
  return Value::error();
}

Value query_prefix(const Query& q) { return Value::integer(q.network().prefix_length); }
Value query_revdns(const Query& q) { return q.text(ip::reverse_dns(q.address())); }
Value query_size(const Query& q) { return integer_value(q.runtime, ip::size_text(q.network())); }
Value query_size_usable(const Query& q) {
  const int bits = q.network().host_bits();
  if (bits < 2) return Value::integer(bits == 0 ? 0 : 2);
  // All ones minus one is two below a power of two.
  return integer_value(q.runtime, ip::to_decimal(q.network().hostmask().number - 1));
}
Value query_type(const Query& q) { return q.text(stands_for_network(q.network()) ? "network" : "address"); }
Value query_version(const Query& q) { return Value::integer(q.address().family == Family::V4 ? 4 : 6); }
Value query_wrap(const Query& q) {
  if (q.address().family == Family::V4) return q.operand.value;
  const std::string wrapped = "[" + ip::to_text(q.address()) + "]";
  return q.text(q.operand.is_network ? fmt::format("{}/{}", wrapped, q.network().prefix_length) : wrapped);
}

constexpr Network kSixToFour{{Family::V6, ip::Number{0x2002} << 112}, 16};

Value query_6to4(const Query& q) {
  if (q.address().family == Family::V6) {
    if (!q.operand.is_network) return kSixToFour.contains(q.network()) ? q.operand.value : no();
    return q.network().has_host_bits() && kSixToFour.contains(q.address()) ? q.operand.value : no();
  }
  if (stands_for_network(q.network())) return no();
  if (!is_public(q.address()) && ip::is_globally_reachable(q.address())) return no();
  const auto n = static_cast<std::uint32_t>(q.address().number);
  return q.text(fmt::format("2002:{:04x}:{:04x}::1/48", n >> 16, n & 0xffff));
}

using QueryFunction = Value (*)(const Query&);
struct QueryRow {
  std::string_view name;
  QueryFunction function;
};
constexpr QueryRow kQueries[] = {
    {"", query_default},
    {"6to4", query_6to4},
    {"address", query_address},
    {"address/prefix", query_address_prefix},
    {"bool", query_bool},
    {"broadcast", query_broadcast},
    {"cidr", query_cidr},
    {"first_usable", query_first_usable},
    {"gateway", query_address_prefix},
    {"gw", query_address_prefix},
    {"host", query_host},
    {"host/prefix", query_address_prefix},
    {"hostmask", query_hostmask},
    {"hostnet", query_address_prefix},
    {"int", query_int},
    {"ip", query_address},
    {"ip/prefix", query_ip_prefix},
    {"ip_netmask", query_ip_netmask},
    {"ipv4", query_ipv4},
    {"ipv6", query_ipv6},
    {"last_usable", query_last_usable},
    {"link-local", query_link_local},
    {"lo", query_loopback},
    {"loopback", query_loopback},
    {"multicast", query_multicast},
    {"net", query_net},
    {"netmask", query_netmask},
    {"network", query_network},
    {"network/prefix", query_subnet},
    {"network_id", query_network},
    {"network_netmask", query_network_netmask},
    {"network_wildcard", query_network_wildcard},
    {"next_usable", query_next_usable},
    {"peer", query_peer},
    {"prefix", query_prefix},
    {"previous_usable", query_previous_usable},
    {"private", query_private},
    {"public", query_public},
    {"range_usable", query_range_usable},
    {"revdns", query_revdns},
    {"router", query_address_prefix},
    {"size", query_size},
    {"size_usable", query_size_usable},
    {"subnet", query_subnet},
    {"type", query_type},
    {"unicast", query_unicast},
    {"v4", query_ipv4},
    {"v6", query_ipv6},
    {"version", query_version},
    {"wildcard", query_hostmask},
    {"wrap", query_wrap},
};
constexpr bool precedes(const QueryRow& a, const QueryRow& b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(kQueries), std::end(kQueries), precedes));

// "7" or "-1": the address at that index, with the network's prefix. A fraction is a number, but not an index.
Value query_index(const Query& q, std::string_view index) {
  if (!q.has_many()) return query_default(q);
  const auto number = python::parse_int(index);
  const auto small = number ? number->value() : std::nullopt;
  const auto address = small ? address_at(q.network(), *small) : std::nullopt;
  return address ? q.text(Network{*address, q.network().prefix_length}) : no();
}

Value unknown_query(Runtime& runtime, std::string_view query, std::string_view filter, bool secret) {
  std::vector<std::string_view> names;
  for (const QueryRow& row : kQueries) names.push_back(row.name);
  if (Diagnostic* fault = runtime.report(diag::unknown_ip_query, runtime.here, filter, secret ? "<secret>" : query)) {
    fault->note("a query is a name, an index such as `1` or `-1`, or a network such as `10.0.0.0/8`");
    const std::string help = did_you_mean(query, names);
    if (!help.empty() && !secret) fault->advise(help);
  }
  return Value::error();
}

}  // namespace

Value answer_query(Runtime& runtime, const IpOperand& operand, std::string_view query, std::string_view filter,
                   bool secret) {
  const Query asked{runtime, operand, query};
  const auto row = std::lower_bound(std::begin(kQueries), std::end(kQueries), QueryRow{query, nullptr}, precedes);
  if (row != std::end(kQueries) && row->name == query) return row->function(asked);
  // An index may have any size; any other address or network asks whether the operand lies inside it.
  if (python::parse_float(query)) return query_index(asked, query);
  if (const auto network = ip::parse_network(query)) return asked.chosen(network->contains(operand.network));
  return unknown_query(runtime, query, filter, secret);
}

}  // namespace capwright::jinja::extras
