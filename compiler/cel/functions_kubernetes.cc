// Quantities, semantic versions and named formats.
#include <algorithm>

#include "cel/function.h"
#include "cel/named_format.h"
#include "cel/quantity.h"
#include "cel/semver.h"

namespace capwright::cel {
namespace {

Val make_quantity(const Quantity& quantity, Arena& arena) { return Val::quantity(arena.make<Quantity>(quantity)); }

Quantity second_quantity(Call& call) {
  return call.args[1].is(TypeKind::Int) ? quantity_of(call.args[1].as_int()) : call.args[1].as_quantity();
}

int order(Call& call) {
  const Val &a = call.args[0], &b = call.args[1];
  return a.is(TypeKind::Quantity) ? compare(a.as_quantity(), b.as_quantity()) : compare(a.as_semver(), b.as_semver());
}

std::optional<Semver> version(Call& call) {
  const std::string_view text = call.text(0);
  const auto points = static_cast<std::size_t>(std::count(text.begin(), text.end(), '.'));
  if (!call.bounds.has_room(text.size() + points * sizeof(std::string_view))) return std::nullopt;
  return parse_semver(call.text(0), call.args.size() == 2 && call.args[1].as_bool(), call.arena);
}

Val named(std::string_view name) { return Val::format(find_format(name)); }

}  // namespace

Val string_to_quantity(Call& call) {
  const std::optional<Quantity> quantity = parse_quantity(call.text(0));
  if (!quantity)
    return call.fail(to_text(call.args[0]) + " isn't a valid quantity: write it as `500m`, `2Gi` or `1e3`");
  return make_quantity(*quantity, call.arena);
}

Val is_quantity(Call& call) { return Val::boolean(parse_quantity(call.text(0)).has_value()); }
Val quantity_sign(Call& call) { return Val::integer(call.args[0].as_quantity().sign()); }

Val quantity_as_integer(Call& call) {
  const std::optional<std::int64_t> whole = call.args[0].as_quantity().as_integer();
  return whole ? Val::integer(*whole) : call.fail(to_text(call.args[0]) + " can't be converted to an integer");
}

Val quantity_is_integer(Call& call) { return Val::boolean(call.args[0].as_quantity().as_integer().has_value()); }
Val quantity_as_float(Call& call) { return Val::floating(call.args[0].as_quantity().as_approximate_float()); }
Val quantity_add(Call& call) {
  return make_quantity(add(call.args[0].as_quantity(), second_quantity(call)), call.arena);
}
Val quantity_sub(Call& call) {
  return make_quantity(subtract(call.args[0].as_quantity(), second_quantity(call)), call.arena);
}
Val is_greater_than(Call& call) { return Val::boolean(order(call) > 0); }
Val is_less_than(Call& call) { return Val::boolean(order(call) < 0); }
Val compare_to(Call& call) { return Val::integer(order(call)); }

Val string_to_semver(Call& call) {
  const std::optional<Semver> parsed = version(call);
  if (!parsed) return call.fail(to_text(call.args[0]) + " isn't a semantic version such as `1.2.3-rc.1`");
  return Val::semver(call.arena.make<Semver>(*parsed));
}

Val is_semver(Call& call) { return Val::boolean(version(call).has_value()); }
Val semver_major(Call& call) { return Val::integer(static_cast<std::int64_t>(call.args[0].as_semver().major)); }
Val semver_minor(Call& call) { return Val::integer(static_cast<std::int64_t>(call.args[0].as_semver().minor)); }
Val semver_patch(Call& call) { return Val::integer(static_cast<std::int64_t>(call.args[0].as_semver().patch)); }

Val format_byte(Call&) { return named("byte"); }
Val format_date(Call&) { return named("date"); }
Val format_datetime(Call&) { return named("datetime"); }
Val format_dns1035_label(Call&) { return named("dns1035Label"); }
Val format_dns1035_label_prefix(Call&) { return named("dns1035LabelPrefix"); }
Val format_dns1123_label(Call&) { return named("dns1123Label"); }
Val format_dns1123_label_prefix(Call&) { return named("dns1123LabelPrefix"); }
Val format_dns1123_subdomain(Call&) { return named("dns1123Subdomain"); }
Val format_dns1123_subdomain_prefix(Call&) { return named("dns1123SubdomainPrefix"); }
Val format_label_value(Call&) { return named("labelValue"); }
Val format_qualified_name(Call&) { return named("qualifiedName"); }
Val format_uri(Call&) { return named("uri"); }
Val format_uuid(Call&) { return named("uuid"); }

Val format_named(Call& call) {
  const NamedFormat* format = find_format(call.text(0));
  return format == nullptr ? Val::optional_none() : make_optional(Val::format(format), call.arena);
}

Val format_validate(Call& call) {
  const std::vector<std::string> faults = call.args[0].as_format().faults(call.text(1));
  return faults.empty() ? Val::optional_none() : make_optional(make_string_list(faults, call.arena), call.arena);
}

}  // namespace capwright::cel
