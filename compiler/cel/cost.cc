// Costs of calls, from the sizes of arguments. Factors and rounding are the API server's.
#include "cel/cost.h"

#include <algorithm>
#include <cmath>

#include "cel/named_format.h"
#include "text/utf8.h"

namespace capwright::cel {
namespace {

using Args = std::span<const Val>;

constexpr double kPerCharacter = 0.1, kPerRegexCharacter = 0.25;

std::uint64_t counted_size(const Val& value) {
  switch (value.kind()) {
    case TypeKind::String: return utf8::length(value.text());
    case TypeKind::Bytes: return value.text().size();
    case TypeKind::List:
    case TypeKind::Map: return value.size();
    case TypeKind::Ip: return value.network().family() == ip::Family::V4 ? 4 : 16;
    case TypeKind::Cidr: return static_cast<std::uint64_t>((value.network().prefix_length + 7) / 8);
    case TypeKind::Optional: return value.inner() == nullptr ? 1 : counted_size(*value.inner());
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

// All values below a value; bytes count a tenth.
std::uint64_t traverse(const Val& value, Arena& arena, Bounds& bounds) {
  // Lists that share elements can have more of them than fit into memory.
  if (!bounds.step() || !bounds.has_room(arena.bytes_reserved())) return 0;
  if (value.is(TypeKind::String) || value.is(TypeKind::Bytes)) {
    return static_cast<std::uint64_t>(static_cast<double>(value.text().size()) * kPerCharacter);
  }
  std::uint64_t cost = 0;
  if (value.is(TypeKind::List)) {
    for (std::size_t i = 0; i < value.size(); ++i) cost += traverse(value.item(i, arena), arena, bounds);
    return cost;
  }
  if (!value.is(TypeKind::Map)) return 1;
  for (const Val& key : value.keys(arena)) {
    cost += traverse(key, arena, bounds);
    if (const std::optional<Val> below = value.find(key, arena)) cost += traverse(*below, arena, bounds);
  }
  return cost;
}

std::uint64_t new_list(double factor, std::uint64_t size) {
  return static_cast<std::uint64_t>(static_cast<double>(size) * factor) + 1 + kCostOfList;
}

std::uint64_t compare_all(const Val& list) {
  const std::uint64_t size = counted_size(list);
  if (size == 0) return new_list(2, 0);
  Arena arena;
  const Val first = list.item(0, arena);
  const bool text = first.is(TypeKind::String) || first.is(TypeKind::Bytes);
  return new_list(text ? 2 + kPerCharacter : 2, size * size);
}

}  // namespace

std::uint64_t cost_none(Args, Bounds&) { return 0; }
std::uint64_t cost_one(Args, Bounds&) { return 1; }
std::uint64_t cost_scan(Args args, Bounds&) { return scan(counted_size(args[0])); }
std::uint64_t cost_scan_twice(Args args, Bounds&) { return scan_twice(counted_size(args[0])); }
std::uint64_t cost_scan_second(Args args, Bounds&) { return scan(counted_size(args[1])); }
std::uint64_t cost_scan_both(Args args, Bounds&) { return scan(counted_size(args[0]) + counted_size(args[1])); }
std::uint64_t cost_scan_shorter(Args args, Bounds&) {
  return scan(std::min(counted_size(args[0]), counted_size(args[1])));
}

std::uint64_t cost_equal(Args args, Bounds& bounds) {
  switch (args[0].kind()) {
    case TypeKind::Ip:
    case TypeKind::Cidr:
    case TypeKind::Quantity:
    case TypeKind::Url:
    case TypeKind::Semver:
    case TypeKind::Format: return 1;
    default: return cost_scan_shorter(args, bounds);
  }
}

std::uint64_t cost_in_list(Args args, Bounds&) { return counted_size(args[1]); }
std::uint64_t cost_contains(Args args, Bounds&) { return scan(counted_size(args[0])) * scan(counted_size(args[1])); }
std::uint64_t cost_regex(Args args, Bounds&) {
  return regex(counted_size(args[0]), static_cast<double>(counted_size(args[1])));
}

std::uint64_t cost_traverse(Args args, Bounds& bounds) {
  Arena arena;
  return traverse(args[0], arena, bounds);
}

std::uint64_t cost_flatten(Args args, Bounds&) {
  const double depth = args.size() == 2 ? static_cast<double>(args[1].as_int()) : 1;
  return new_list(depth < 0 ? 1 : depth, counted_size(args[0]));
}

std::uint64_t cost_sort(Args args, Bounds&) { return compare_all(args[0]); }
std::uint64_t cost_sort_by(Args args, Bounds&) { return compare_all(args[1]); }
std::uint64_t cost_sets(Args args, Bounds&) { return 1 + counted_size(args[0]) * counted_size(args[1]); }
std::uint64_t cost_sets_twice(Args args, Bounds&) { return 1 + 2 * counted_size(args[0]) * counted_size(args[1]); }
std::uint64_t cost_contains_ip(Args args, Bounds&) { return scan_twice(counted_size(args[0])); }
std::uint64_t cost_contains_ip_text(Args args, Bounds&) {
  return scan_twice(counted_size(args[0])) + scan(counted_size(args[1]));
}
std::uint64_t cost_contains_cidr(Args args, Bounds&) {
  return scan_twice(counted_size(args[0])) + scan(counted_size(args[0])) + 1;
}

std::uint64_t cost_contains_cidr_text(Args args, Bounds& bounds) {
  return cost_contains_cidr(args, bounds) + scan(counted_size(args[1]));
}

std::uint64_t cost_validate(Args args, Bounds&) {
  return regex(counted_size(args[1]), static_cast<double>(args[0].as_format().regex_size));
}

std::uint64_t least_cost_of_join(Args args, Bounds& bounds) {
  constexpr std::size_t kMostBytesOfCharacter = 4;
  const std::size_t separator = args.size() == 2 ? args[1].text().size() : 0;
  std::size_t bytes = args[0].size() == 0 ? 0 : separator * (args[0].size() - 1);
  Arena arena;
  for (std::size_t i = 0; i < args[0].size() && bounds.step(); ++i) {
    const Val item = args[0].item(i, arena);
    if (!item.is(TypeKind::String)) return 0;
    bytes += item.text().size();
  }
  return scan_twice(bytes / kMostBytesOfCharacter);
}

std::uint64_t cost_of_index(const Val& result) {
  return result.is(TypeKind::Optional) && result.inner() == nullptr ? 0 : 1;
}
std::uint64_t cost_of_joined(const Val& result) { return scan_twice(counted_size(result)); }
std::uint64_t cost_of_new_list(const Val& result) { return new_list(1, counted_size(result)); }

}  // namespace capwright::cel
