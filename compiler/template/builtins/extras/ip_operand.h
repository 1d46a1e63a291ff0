// Addresses and networks as Ansible's `ipaddr` filters parse them, and the queries on them.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "template/builtins/operands.h"
#include "text/ip_address.h"

namespace capwright::jinja::extras {

struct IpOperand {
  ip::Network network;
  bool is_network = false;  // written with a prefix
  Value value;              // the result of queries that only select: the operand, numbers as an address
};

// Text with an address, a network, a number, or a number with a prefix; or a number. Empty for other values, which
// isn't an error. `version`: the family of a number, 0 for the one that it fits.
std::optional<IpOperand> read_ip(Runtime&, const Value&, std::int64_t version = 0);

// Answers a query ("address", "first_usable", "-1", "10.0.0.0/8" …): text, a number, true; or false or none, which both
// mean "no". Messages name `filter`.
Value answer_query(Runtime&, const IpOperand&, std::string_view query, std::string_view filter, bool secret = false);

// The result of the type query: a network has more than one address and no host bits.
bool stands_for_network(const ip::Network&);
// The first and last address for hosts; of a /31 or /127 both addresses. Only for more than one address.
ip::Address first_usable(const ip::Network&);
ip::Address last_usable(const ip::Network&);
// The address at an index of a network, from its end if negative; empty outside.
std::optional<ip::Address> address_at(const ip::Network&, std::int64_t index);

// A whole number, also as text ("-1").
std::optional<std::int64_t> number_argument(Runtime&, std::string_view filter, const Value&);
Value text_value(Runtime&, const ip::Address&);
Value text_value(Runtime&, const ip::Network&);
Value integer_value(Runtime&, std::string_view decimal);

}  // namespace capwright::jinja::extras
