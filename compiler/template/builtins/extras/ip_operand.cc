// Parses operands, and arithmetic that several filters share.
#include "template/builtins/extras/ip_operand.h"

#include <algorithm>
#include <string>

#include "template/builtins/extras/arguments.h"
#include "text/python_text.h"

namespace capwright::jinja::extras {
namespace {

using ip::Family;
using ip::Network;

// A number as an address: IPv4 if it fits and `version` doesn't say otherwise.
std::optional<ip::Address> numbered(std::string_view digits, std::int64_t version) {
  const auto number = ip::parse_decimal(digits);
  if (!number) return std::nullopt;
  const bool fits_v4 = version != 6 && *number <= ip::largest(Family::V4);
  return ip::Address{fits_v4 ? Family::V4 : Family::V6, *number};
}

bool is_number_text(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// "3232235776/24": a network whose address is a number.
std::optional<Network> numbered_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = python::parse_int(text.substr(0, slash));
  const auto prefix = python::parse_int(text.substr(slash + 1));
  const auto length = prefix ? prefix->value() : std::nullopt;
  if (!number || number->negative || !length || *length < 0) return std::nullopt;
  auto address = numbered(number->digits, 0);
  if (address && address->family == Family::V4 && *length > 32) address->family = Family::V6;
  if (!address || *length > ip::width(address->family)) return std::nullopt;
  return Network{*address, static_cast<int>(*length)};
}

}  // namespace

std::optional<IpOperand> read_ip(Runtime& runtime, const Value& value, std::int64_t version) {
  std::string text;
  if (value.is(Kind::String)) {
    text = value.text();
  } else if (!value.is(Kind::Bool)) {
    const auto number = runtime.whole(value);
    // Python treats 0 as false. An address has 128 bits.
    if (!number || number->is_zero() || number->bits() > 128) return std::nullopt;
    text = number->to_string();
  }
  if (is_number_text(text)) {
    const auto address = numbered(text, version);
    if (!address) return std::nullopt;
    const Network network{*address, ip::width(address->family)};
    return IpOperand{network, false, runtime.derived(text_value(runtime, network), value)};
  }
  if (const auto network = ip::parse_network(text)) {
    return IpOperand{*network, text.find('/') != std::string::npos, value};
  }
  const auto network = numbered_network(text);
  if (!network) return std::nullopt;
  return IpOperand{*network, true, runtime.derived(text_value(runtime, *network), value)};
}

bool stands_for_network(const Network& network) { return network.host_bits() > 0 && !network.has_host_bits(); }

ip::Address first_usable(const Network& network) {
  ip::Address address = network.first();
  if (network.host_bits() > 1) ++address.number;
  return address;
}

ip::Address last_usable(const Network& network) {
  ip::Address address = network.last();
  if (network.host_bits() > 1) --address.number;
  return address;
}

std::optional<ip::Address> address_at(const Network& network, std::int64_t index) {
  // If the end is so close that stepping past the other end wraps around, the address is outside, too.
  const auto address = ip::advance(index < 0 ? network.last() : network.first(), index < 0 ? index + 1 : index);
  return address && network.contains(*address) ? address : std::nullopt;
}

std::optional<std::int64_t> number_argument(Runtime& runtime, std::string_view filter, const Value& value) {
  if (value.is(Kind::String)) {
    const auto number = python::parse_int(value.text());
    const auto small = number ? number->value() : std::nullopt;
    if (small) return small;
  }
  return integer_argument(runtime, filter, value);
}

Value text_value(Runtime& runtime, const ip::Address& address) { return runtime.string(ip::to_text(address)); }
Value text_value(Runtime& runtime, const Network& network) { return runtime.string(ip::to_text(network)); }

Value integer_value(Runtime& runtime, std::string_view decimal) {
  return runtime.integer(BigInteger::from_digits(decimal, 10, false));
}

}  // namespace capwright::jinja::extras
