// Costs of calls, from the sizes of arguments. Factors and roundings are the API server's.
#include "cel/cost.h"

#include <algorithm>
#include <cmath>

#include "cel/format.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

using Args = std::span<const Val>;

constexpr double kPerCharacter = 0.1, kPerRegexCharacter = 0.25;

std::uint64_t size_of(const Val& value) {
  switch (value.kind()) {
    case TypeKind::String: return utf8::length(value.text());
    case TypeKind::Bytes: return value.text().size();
    case TypeKind::List:
    case TypeKind::Map: return value.size();
    case TypeKind::Ip: return value.network().family() == ip::Family::V4 ? 4 : 16;
    case TypeKind::Cidr: return static_cast<std::uint64_t>((value.network().prefix_length + 7) / 8);
    case TypeKind::Optional: return value.inner() == nullptr ? 1 : size_of(*value.inner());
    default: return 1;
  }
}

std::uint64_t scan(std::uint64_t size) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(size) * kPerCharacter));
}
std::uint64_t scan_twice(std::uint64_t size) {
  return static_cast<std::uint64_t>(std::ceil(static_cast<double>(size) * 2 * kPerCharacter));
}

std::uint64_t regex(std::uint64_t text, double pattern) {
  return scan(text + 1) * static_cast<std::uint64_t>(std::ceil(pattern * kPerRegexCharacter));
}

// Everything below a value, bytes at a tenth.
std::uint64_t traverse(const Val& value, Arena& arena) {
  if (value.is(TypeKind::String) || value.is(TypeKind::Bytes)) {
    return static_cast<std::uint64_t>(static_cast<double>(value.text().size()) * kPerCharacter);
  }
  std::uint64_t cost = 0;
  if (value.is(TypeKind::List)) {
    for (std::size_t i = 0; i < value.size(); ++i) cost += traverse(value.item(i, arena), arena);
    return cost;
  }
  if (!value.is(TypeKind::Map)) return 1;
  for (const Val& key : value.keys(arena)) {
    cost += traverse(key, arena);
    if (const std::optional<Val> below = value.find(key, arena)) cost += traverse(*below, arena);
  }
  return cost;
}

std::uint64_t new_list(double factor, std::uint64_t size) {
  return static_cast<std::uint64_t>(static_cast<double>(size) * factor) + 1 + kCostOfList;
}

std::uint64_t compare_all(const Val& list) {
  const std::uint64_t size = size_of(list);
  if (size == 0) return new_list(2, 0);
  Arena arena;
  const Val first = list.item(0, arena);
  const bool text = first.is(TypeKind::String) || first.is(TypeKind::Bytes);
  return new_list(text ? 2 + kPerCharacter : 2, size * size);
}

}  // namespace

std::uint64_t cost_none(Args, const Val&) { return 0; }
std::uint64_t cost_one(Args, const Val&) { return 1; }
std::uint64_t cost_scan(Args args, const Val&) { return scan(size_of(args[0])); }
std::uint64_t cost_scan_twice(Args args, const Val&) { return scan_twice(size_of(args[0])); }
std::uint64_t cost_scan_second(Args args, const Val&) { return scan(size_of(args[1])); }
std::uint64_t cost_scan_both(Args args, const Val&) { return scan(size_of(args[0]) + size_of(args[1])); }
std::uint64_t cost_scan_shorter(Args args, const Val&) { return scan(std::min(size_of(args[0]), size_of(args[1]))); }

std::uint64_t cost_equal(Args args, const Val& result) {
  switch (args[0].kind()) {
    case TypeKind::Ip:
    case TypeKind::Cidr:
    case TypeKind::Quantity:
    case TypeKind::Url:
    case TypeKind::Semver:
    case TypeKind::Format: return 1;
    default: return cost_scan_shorter(args, result);
  }
}

std::uint64_t cost_index(Args, const Val& result) {
  return result.is(TypeKind::Optional) && result.inner() == nullptr ? 0 : 1;
}
std::uint64_t cost_in_list(Args args, const Val&) { return size_of(args[1]); }
std::uint64_t cost_contains(Args args, const Val&) { return scan(size_of(args[0])) * scan(size_of(args[1])); }
std::uint64_t cost_regex(Args args, const Val&) {
  return regex(size_of(args[0]), static_cast<double>(size_of(args[1])));
}
std::uint64_t cost_join(Args, const Val& result) { return scan_twice(size_of(result)); }

std::uint64_t cost_traverse(Args args, const Val&) {
  Arena arena;
  return traverse(args[0], arena);
}

std::uint64_t cost_new_list(Args, const Val& result) { return new_list(1, size_of(result)); }

std::uint64_t cost_flatten(Args args, const Val&) {
  const double depth = args.size() == 2 ? static_cast<double>(args[1].as_int()) : 1;
  return new_list(depth < 0 ? 1 : depth, size_of(args[0]));
}

std::uint64_t cost_sort(Args args, const Val&) { return compare_all(args[0]); }
std::uint64_t cost_sort_by(Args args, const Val&) { return compare_all(args[1]); }
std::uint64_t cost_sets(Args args, const Val&) { return 1 + size_of(args[0]) * size_of(args[1]); }
std::uint64_t cost_sets_twice(Args args, const Val&) { return 1 + 2 * size_of(args[0]) * size_of(args[1]); }
std::uint64_t cost_contains_ip(Args args, const Val&) { return scan_twice(size_of(args[0])); }
std::uint64_t cost_contains_ip_text(Args args, const Val&) {
  return scan_twice(size_of(args[0])) + scan(size_of(args[1]));
}
std::uint64_t cost_contains_cidr(Args args, const Val&) {
  return scan_twice(size_of(args[0])) + scan(size_of(args[0])) + 1;
}

std::uint64_t cost_contains_cidr_text(Args args, const Val& result) {
  return cost_contains_cidr(args, result) + scan(size_of(args[1]));
}

std::uint64_t cost_validate(Args args, const Val&) {
  return regex(size_of(args[1]), static_cast<double>(args[0].as_format().regex_size));
}

}  // namespace capwright::cel
