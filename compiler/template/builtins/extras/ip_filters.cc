// `ipaddr` and its family: query, wrap or count from one address or network, or a list of them.
#include <fmt/format.h>
#include <optional>
#include <string>

#include "diag/catalog/limits.h"
#include "diag/catalog/template_extras.h"
#include "template/builtins/extras/arguments.h"
#include "template/builtins/extras/extras.h"
#include "template/builtins/extras/ip_operand.h"
#include "text/python_text.h"

namespace capwright::jinja {
namespace {

using extras::IpOperand;

struct Request {
  std::string_view filter;
  std::string_view query;
  std::int64_t version = 0;  // 4 or 6; 0: either
  bool secret = false;       // the query must be redacted
};

int version_of(const IpOperand& operand) { return static_cast<int>(operand.network.family()); }

// Answers that Python treats as false in a list.
bool is_nothing(const Value& answer) {
  return answer.is(Kind::Null) || ((answer.is(Kind::Bool) || answer.is(Kind::Int)) && answer.as_int() == 0);
}

Value ask(Runtime& runtime, const Value& value, const Request& request, std::uint32_t depth);

// The answers for a list's items, without the false ones.
Value ask_each(Runtime& runtime, const Value& list, const Request& request, std::uint32_t depth) {
  if (depth > runtime.stage.limits.depth) {
    return runtime.fail(diag::nested_too_deep, "lists", runtime.stage.limits.depth);
  }
  const auto items = items_of(runtime, list);
  if (!items) return Value::error();
  ListBuilder answers(runtime);
  for (const Value& item : *items) {
    const Value answer = ask(runtime, item, request, depth + 1);
    if (answer.is_error()) return answer;
    const bool empty = answer.is(Kind::List) && answer.items().empty();
    if (!empty && !is_nothing(answer) && !answers.add(runtime.derived(answer, item))) return Value::error();
  }
  return answers.list();
}

Value ask(Runtime& runtime, const Value& value, const Request& request, std::uint32_t depth) {
  if (!runtime.usable(value)) return Value::error();
  const bool is_lazy = value.is(Kind::Object) && !runtime.whole(value) && runtime.iterable(value);
  if (value.is(Kind::List) || is_lazy) return ask_each(runtime, value, request, depth);
  const auto operand = extras::read_ip(runtime, value, request.version);
  if (!operand || (request.version != 0 && request.version != version_of(*operand))) return Value::boolean(false);
  return extras::answer_query(runtime, *operand, request.query, request.filter, request.secret);
}

Value ask_checked(Runtime& runtime, const Value& value, const Value& query, Request request) {
  const bool has_type = value.is(Kind::String) || value.is(Kind::List) || value.is(Kind::Bool) || value.is(Kind::Int) ||
                        value.is(Kind::Object);
  if (!has_type) return extras::needs(runtime, request.filter, "text, a number or a list of them", value);
  const Value text = text_of(runtime, query);
  if (text.is_error()) return text;
  request.query = text.text();
  request.secret = text.tainted();
  return ask(runtime, value, request, 0);
}

Value wrap(Runtime& runtime, const Value& value) {
  const auto operand = extras::read_ip(runtime, value);
  return operand ? extras::answer_query(runtime, *operand, "wrap", "ipwrap") : value;
}

// The network that a filter counts in; with its host bits if it is an interface's.
std::optional<ip::Network> counted_network(Runtime& runtime, const Value& value) {
  const auto operand = extras::read_ip(runtime, value);
  return operand ? std::optional(operand->network) : std::nullopt;
}

// The address `offset` after an interface's, if hosts of its network may have it.
Value nth_usable(Runtime& runtime, const BoundArguments& arguments, std::string_view filter, std::int64_t sign) {
  const auto network = counted_network(runtime, arguments[0]);
  if (!network) return Value::boolean(false);
  const auto offset = extras::number_argument(runtime, filter, arguments[1]);
  if (!offset) return Value::error();
  if (network->host_bits() == 0) return Value::null();
  const auto address = *offset == INT64_MIN ? std::nullopt : ip::advance(network->address, sign * *offset);
  const bool usable =
      address && extras::first_usable(*network) <= *address && *address <= extras::last_usable(*network);
  return usable ? extras::text_value(runtime, *address) : Value::null();
}

}  // namespace

Value ipaddr_filter(Runtime& runtime, const BoundArguments& arguments) {
  std::int64_t version = 0;
  if (!arguments[2].is(Kind::Null) && !(arguments[2].is(Kind::Bool) && !arguments[2].as_bool())) {
    const auto number = extras::number_argument(runtime, "ipaddr", arguments[2]);
    if (!number) return Value::error();
    version = *number;
  }
  const Value alias = text_of(runtime, arguments[3]);
  return alias.is_error() ? alias : ask_checked(runtime, arguments[0], arguments[1], {alias.text(), "", version});
}

Value ipv4_filter(Runtime& runtime, const BoundArguments& arguments) {
  return ask_checked(runtime, arguments[0], arguments[1], {"ipv4", "", 4});
}
Value ipv6_filter(Runtime& runtime, const BoundArguments& arguments) {
  return ask_checked(runtime, arguments[0], arguments[1], {"ipv6", "", 6});
}

Value ipwrap_filter(Runtime& runtime, const BoundArguments& arguments) {
  const Value& value = arguments[0];
  if (value.is(Kind::Bool)) return value;
  if (value.is(Kind::String)) {
    // Ansible applies the query twice, so a number comes back as an address without a prefix.
    const auto operand = extras::read_ip(runtime, value);
    return operand ? wrap(runtime, extras::answer_query(runtime, *operand, "", "ipwrap")) : value;
  }
  const bool is_lazy = value.is(Kind::Object) && runtime.iterable(value);
  if (!value.is(Kind::List) && !is_lazy) return extras::needs(runtime, "ipwrap", "text or a list", value);
  const auto items = items_of(runtime, value);
  if (!items) return Value::error();
  ListBuilder wrapped(runtime);
  for (const Value& item : *items) {
    if (!wrapped.add(runtime.derived(wrap(runtime, item), item))) return Value::error();
  }
  return wrapped.list();
}

Value ipmath_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto text = extras::string_argument(runtime, "ipmath", arguments[0]);
  if (!text) return Value::error();
  const auto network = ip::parse_network(*text);
  if (!network) return runtime.fail(diag::not_an_ip, extras::shown(arguments[0]), "an IP address");
  const auto amount = extras::number_argument(runtime, "ipmath", arguments[1]);
  if (!amount) return Value::error();
  const auto address = ip::advance(network->address, *amount);
  if (address) return extras::text_value(runtime, *address);
  return runtime.fail(diag::ip_out_of_range, std::to_string(*amount), extras::shown(arguments[0]),
                      fmt::format("the {} addresses", ip::name(network->family())));
}

Value nthhost_filter(Runtime& runtime, const BoundArguments& arguments) {
  const auto network = counted_network(runtime, arguments[0]);
  const Value query = network ? text_of(runtime, arguments[1]) : Value::null();
  if (query.is_error()) return query;
  if (!network || query.text().empty()) return Value::boolean(false);
  const auto index = python::parse_int(query.text());
  const auto small = index ? index->value() : std::nullopt;
  const auto address = small ? extras::address_at(*network, *small) : std::nullopt;
  if (address) return extras::text_value(runtime, *address);
  // Ansible's function returns false beyond the end, and fails before the start.
  if (!small || *small >= 0) return Value::boolean(false);
  return runtime.fail(diag::ip_out_of_range, extras::shown(query), "the end",
                      extras::shown(arguments[0], ip::to_text(*network)));
}

Value next_nth_usable_filter(Runtime& runtime, const BoundArguments& arguments) {
  return nth_usable(runtime, arguments, "next_nth_usable", 1);
}
Value previous_nth_usable_filter(Runtime& runtime, const BoundArguments& arguments) {
  return nth_usable(runtime, arguments, "previous_nth_usable", -1);
}

}  // namespace capwright::jinja
