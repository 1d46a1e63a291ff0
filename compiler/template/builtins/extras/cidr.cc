// Strict arithmetic on networks for templates that allocate addresses. Unlike Ansible's filters they never return false
// for an invalid network; they report the error in it.
#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>

#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "template/builtins/extras/ip_operand.h"

namespace capwright::jinja {
namespace {

using ip::Network;

// A network in CIDR notation, without host bits. With `or_address`, an address is accepted as a network of one address.
std::optional<Network> cidr_argument(Runtime& runtime, std::string_view filter, const Value& value,
                                     bool or_address = false) {
  const auto text = extras::string_argument(runtime, filter, value);
  if (!text) return std::nullopt;
  const auto network = ip::parse_network(*text);
  if (!network || (!or_address && text->find('/') == std::string_view::npos)) {
    runtime.fail(diag::not_an_ip, extras::shown(value),
                 or_address ? "an IP address or network" : "a network such as `10.0.0.0/16`");
    return std::nullopt;
  }
  if (!network->has_host_bits()) return network;
  if (Diagnostic* fault = runtime.report(diag::network_has_host_bits, runtime.here, extras::shown(value))) {
    const std::string without = ip::to_text(network->without_host_bits());
    fault->advise(fmt::format("the network is `{}`", extras::shown(value, without)));
  }
  return std::nullopt;
}

struct Pair {
  Network a, b;
};

// Both operands, which must have the same family.
std::optional<Pair> cidr_arguments(Runtime& runtime, const BoundArguments& arguments, std::string_view filter,
                                   bool second_may_be_address) {
  const auto a = cidr_argument(runtime, filter, arguments[0]);
  const auto b = a ? cidr_argument(runtime, filter, arguments[1], second_may_be_address) : std::nullopt;
  if (!b) return std::nullopt;
  if (a->family() == b->family()) return Pair{*a, *b};
  runtime.fail(diag::ip_families_differ, extras::shown(arguments[0]), extras::shown(arguments[1]));
  return std::nullopt;
}

}  // namespace

Value cidr_contains(Runtime& runtime, const BoundArguments& arguments) {
  const auto pair = cidr_arguments(runtime, arguments, "cidr_contains", true);
  return pair ? Value::boolean(pair->a.contains(pair->b)) : Value::error();
}

Value cidr_overlaps(Runtime& runtime, const BoundArguments& arguments) {
  const auto pair = cidr_arguments(runtime, arguments, "cidr_overlaps", false);
  return pair ? Value::boolean(pair->a.overlaps(pair->b)) : Value::error();
}

Value cidr_host_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto network = cidr_argument(runtime, "cidr_host", arguments[0]);
  const auto number = network ? extras::integer_argument(runtime, "cidr_host", arguments[1]) : std::nullopt;
  if (!number) return Value::error();
  const auto address = extras::address_at(*network, *number);
  if (address) return extras::text_value(runtime, *address);
  return runtime.fail(diag::no_such_host, extras::shown(arguments[0]), *number, ip::size_text(*network));
}

Value cidr_subnet_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto network = cidr_argument(runtime, "cidr_subnet", arguments[0]);
  const auto new_bits = network ? extras::integer_argument(runtime, "cidr_subnet", arguments[1]) : std::nullopt;
  const auto number = new_bits ? extras::integer_argument(runtime, "cidr_subnet", arguments[2]) : std::nullopt;
  if (!number) return Value::error();
  if (*new_bits < 0 || *new_bits > network->host_bits()) {
    const std::int64_t prefix = network->prefix_length + std::clamp<std::int64_t>(*new_bits, -999, 999);
    return runtime.fail(diag::subnet_does_not_fit, extras::shown(arguments[0]), std::to_string(prefix));
  }
  // Indexes subnets like addresses: subnet n is the nth address of a network with one address per subnet.
  const int bits = static_cast<int>(*new_bits);
  const Network counted{{ip::Family::V6, 0}, 128 - bits};
  const auto index = extras::address_at(counted, *number);
  if (!index) return runtime.fail(diag::no_such_subnet, extras::shown(arguments[0]), *number, ip::size_text(counted));
  const int shift = network->host_bits() - bits;
  const ip::Number distance = shift < 128 ? index->number << shift : 0;
  return extras::text_value(
      runtime, Network{{network->family(), network->address.number + distance}, network->prefix_length + bits});
}

}  // namespace capwright::jinja
