// Filters that relate networks: `ipsubnet`, `cidr_merge`, `network_in_network`, `network_in_usable`,
// `reduce_on_network`, as in the ansible.utils collection.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "template/builtins/extras/ip_operand.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

using ip::Network;

// The network of a text; an error if it isn't one.
std::optional<Network> network_argument(Runtime& runtime, std::string_view filter, const Value& value) {
  runtime.look_at(value);
  const auto operand = extras::read_ip(runtime, value);
  if (operand) return operand->network;
  if (value.is(Kind::String)) {
    runtime.fail(diag::not_an_ip, extras::shown(value), "an IP address or network");
  } else {
    extras::needs(runtime, filter, "an IP address or network", value);
  }
  return std::nullopt;
}

// ---- ipsubnet ----

// The arguments of `ipsubnet`: a prefix, and optionally the index of one of the networks with it.
struct Division {
  Runtime& runtime;
  const Value& operand;
  Network network;
  int prefix = 0;
  std::optional<std::int64_t> index;

  Value too_small() const {
    const std::string shown = extras::shown(operand, ip::to_text(network));
    return runtime.fail(diag::subnet_does_not_fit, shown, std::to_string(prefix));
  }
};

// The network of `prefix` bits around an address; with `index`, one of the networks between that and the address.
Value supernet(const Division& asked) {
  const int bits = asked.network.prefix_length;
  const std::int64_t index = asked.index.value_or(0);
  // Ansible's bounds, which accept some indexes without a supernet.
  if (asked.index && (index < asked.prefix - bits || index > bits + 1 - index)) return Value::boolean(false);
  const std::int64_t count = bits - asked.prefix;
  const std::int64_t wanted = index < 0 ? index + count : index;
  if (wanted < 0 || wanted >= count) return asked.too_small();
  const Network around{asked.network.address, asked.prefix + static_cast<int>(wanted)};
  return extras::text_value(asked.runtime, around.without_host_bits());
}

// The number of networks of `prefix` bits that fit, or the one at `index`, from the end if negative.
Value subnet(const Division& asked) {
  const Network& network = asked.network;
  const int bits = ip::width(network.family());
  const int new_bits = asked.prefix - network.prefix_length;
  if (!asked.index) {
    return new_bits < 0 ? asked.too_small() : asked.runtime.string(ip::size_text({network.address, bits - new_bits}));
  }
  // A larger network counts as number 0 of itself.
  if (new_bits < 0 && *asked.index != 0) return Value::boolean(false);
  const Network counted{{ip::Family::V6, 0}, 128 - std::max(new_bits, 0)};  // each of its addresses represents a subnet
  const auto number = extras::address_at(counted, *asked.index);
  if (!number) return Value::boolean(false);
  const int shift = bits - asked.prefix;
  const ip::Number distance = shift < 128 ? number->number << shift : 0;
  return extras::text_value(asked.runtime,
                            Network{{network.family(), network.first().number + distance}, asked.prefix});
}

// The position, from 1, of a network inside a larger one.
Value rank_in(Runtime& runtime, const Value& operand, const Network& network, const Value& query) {
  const auto outer = network_argument(runtime, "ipsubnet", query);
  if (!outer) return Value::error();
  if (!outer->contains(network)) {
    return runtime.fail(diag::ip_not_inside, extras::shown(operand, ip::to_text(network)),
                        extras::shown(query, ip::to_text(outer->without_host_bits())));
  }
  const ip::Number offset = network.first().number - outer->first().number;
  const int bits = network.host_bits();
  return runtime.string(ip::to_decimal((bits < 128 ? offset >> bits : 0) + 1));
}

// ---- cidr_merge ----

std::optional<std::vector<Network>> networks_of(Runtime& runtime, const Value& list) {
  const auto items = items_of(runtime, list);
  if (!items) return std::nullopt;
  std::vector<Network> networks;
  for (const Value& item : *items) {
    const auto text = extras::string_argument(runtime, "cidr_merge", item);
    if (!text) return std::nullopt;
    const auto network = ip::parse_network(*text);
    if (!network) {
      runtime.fail(diag::not_an_ip, extras::shown(item), "an IP address or network");
      return std::nullopt;
    }
    networks.push_back(*network);
  }
  return networks;
}

// A run of addresses. If nothing was merged into it, it keeps its original text, including host bits.
struct AddressRange {
  ip::Address first, last;
  std::optional<Network> as_written;
};

// Whether the later range starts inside the earlier one or directly after its end.
bool touches(const AddressRange& earlier, const AddressRange& later) {
  if (earlier.last.family != later.last.family) return false;
  return later.first.number == 0 || later.first.number - 1 <= earlier.last.number;
}

std::vector<AddressRange> merged(const std::vector<Network>& networks) {
  std::vector<AddressRange> ranges;
  for (const Network& network : networks) ranges.push_back({network.first(), network.last(), network});
  std::stable_sort(ranges.begin(), ranges.end(), [](const AddressRange& a, const AddressRange& b) {
    return std::tie(a.last, a.first) < std::tie(b.last, b.first);
  });
  // From the end, because a range may contain several earlier ones.
  std::vector<AddressRange> result;
  for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
    if (!result.empty() && touches(*range, result.back())) {
      result.back() = {std::min(range->first, result.back().first), result.back().last, std::nullopt};
    } else {
      result.push_back(*range);
    }
  }
  std::reverse(result.begin(), result.end());
  return result;
}

Value merge_networks(Runtime& runtime, const std::vector<Network>& networks) {
  ListBuilder list(runtime);
  for (const AddressRange& range : merged(networks)) {
    const auto parts = range.as_written ? std::vector{*range.as_written} : ip::cover_range(range.first, range.last);
    for (const Network& part : parts) {
      if (!list.add(extras::text_value(runtime, part))) return Value::error();
    }
  }
  return list.list();
}

// By first address, then the larger network first, then host bits.
bool precedes(const Network& a, const Network& b) {
  return std::tuple(a.first(), a.prefix_length, a.address) < std::tuple(b.first(), b.prefix_length, b.address);
}

// One network around all, with netaddr's algorithm: starts from the network that sorts last and widens it until it
// contains the one that sorts first.
Value span_networks(Runtime& runtime, const Value& list, const std::vector<Network>& networks) {
  if (networks.empty()) return Value::null();
  if (networks.size() == 1) return extras::text_value(runtime, networks[0]);
  const Network lowest = *std::min_element(networks.begin(), networks.end(), precedes);
  const Network highest = *std::max_element(networks.begin(), networks.end(), precedes);
  if (lowest.family() != highest.family()) {
    const bool is_secret = runtime.lineage(list).tainted;
    return runtime.fail(diag::ip_families_differ, is_secret ? "<secret>" : ip::to_text(lowest),
                        is_secret ? "<secret>" : ip::to_text(highest));
  }
  Network span{highest.last(), highest.prefix_length};
  while (span.prefix_length > 0 && span.address > lowest.first()) {
    --span.prefix_length;
    span.address = span.first();
  }
  return extras::text_value(runtime, span);
}

// ---- network_in_… ----

// netaddr has no broadcast address for /31 and /127, so there the first address is also the last counted one.
ip::Address last_counted(const Network& network) { return network.host_bits() == 1 ? network.first() : network.last(); }

bool lies_between(const Network& inner, const ip::Address& first, const ip::Address& last) {
  return inner.family() == first.family && first <= inner.first() && last_counted(inner) <= last;
}

bool in_usable(const Network& outer, const Network& inner) {
  if (outer.host_bits() == 0) return lies_between(inner, outer.first(), outer.first());
  return lies_between(inner, extras::first_usable(outer), extras::last_usable(outer));
}

bool in_network(const Network& outer, const Network& inner) {
  return lies_between(inner, outer.first(), last_counted(outer));
}

Value relate(Runtime& runtime, const BoundArguments& arguments, std::string_view filter,
             bool (*relation)(const Network&, const Network&)) {
  const auto outer = network_argument(runtime, filter, arguments[0]);
  const auto inner = outer ? network_argument(runtime, filter, arguments[1]) : std::nullopt;
  return inner ? Value::boolean(relation(*outer, *inner)) : Value::error();
}

}  // namespace

Value ipsubnet_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto operand = extras::read_ip(runtime, arguments[0]);
  if (!operand) return Value::boolean(false);
  const Network network = operand->network.without_host_bits();
  const Value query = text_of(runtime, arguments[1]);
  if (query.is_error()) return query;
  const std::string_view text = query.text();
  if (text.empty()) return extras::text_value(runtime, network);
  if (!std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
    return rank_in(runtime, arguments[0], network, query);
  }
  const auto number = python::parse_int(text);
  const auto prefix = number ? number->value() : std::nullopt;
  if (!prefix || *prefix > ip::width(network.family())) return Value::boolean(false);
  std::optional<std::int64_t> index;
  if (!arguments[2].is(Kind::Null)) {
    index = extras::number_argument(runtime, "ipsubnet", arguments[2]);
    if (!index) return Value::error();
  }
  const Division asked{runtime, arguments[0], network, static_cast<int>(*prefix), index};
  return network.host_bits() == 0 ? supernet(asked) : subnet(asked);
}

Value cidr_merge_filter(Runtime& runtime, const BoundArguments& arguments) {
  static constexpr std::array<std::string_view, 2> kActions{"merge", "span"};
  const auto action = extras::choice(runtime, "cidr_merge", "action", arguments[1], kActions);
  const auto networks = action ? networks_of(runtime, arguments[0]) : std::nullopt;
  if (!networks) return Value::error();
  return *action == 0 ? merge_networks(runtime, *networks) : span_networks(runtime, arguments[0], *networks);
}

Value network_in_network_filter(Runtime& runtime, const BoundArguments& arguments) {
  return relate(runtime, arguments, "network_in_network", in_network);
}
Value network_in_usable_filter(Runtime& runtime, const BoundArguments& arguments) {
  return relate(runtime, arguments, "network_in_usable", in_usable);
}

Value reduce_on_network_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto outer = network_argument(runtime, "reduce_on_network", arguments[1]);
  const auto items = outer ? items_of(runtime, arguments[0]) : std::nullopt;
  if (!items) return Value::error();
  ListBuilder inside(runtime);
  for (const Value& item : *items) {
    const auto inner = network_argument(runtime, "reduce_on_network", item);
    if (!inner || (in_network(*outer, *inner) && !inside.add(item))) return Value::error();
  }
  return inside.list();
}

}  // namespace capwright::jinja
