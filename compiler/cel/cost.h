// What a call costs in the API server's units of CEL.
// https://kubernetes.io/docs/reference/using-api/cel/#resource-constraints
#pragma once
#include <cstdint>
#include <span>

#include "cel/val.h"

namespace capwright::cel {

// Kubernetes' limits: of one evaluation, and of all rules of one object.
inline constexpr std::uint64_t kCostOfOneEvaluation = 1'000'000;
inline constexpr std::uint64_t kCostOfOneObject = 10'000'000;

// What nodes cost that are no calls.
inline constexpr std::uint64_t kCostOfName = 1;  // a variable, a field, a key
inline constexpr std::uint64_t kCostOfList = 10;
inline constexpr std::uint64_t kCostOfMap = 30;

// Named by functions.def; each is given the arguments and the result of a call.
std::uint64_t cost_none(std::span<const Val>, const Val&);
std::uint64_t cost_one(std::span<const Val>, const Val&);
std::uint64_t cost_scan(std::span<const Val>, const Val&);  // the first argument is read once
std::uint64_t cost_scan_twice(std::span<const Val>, const Val&);
std::uint64_t cost_scan_second(std::span<const Val>, const Val&);
std::uint64_t cost_scan_both(std::span<const Val>, const Val&);
std::uint64_t cost_scan_shorter(std::span<const Val>, const Val&);
std::uint64_t cost_equal(std::span<const Val>, const Val&);
std::uint64_t cost_index(std::span<const Val>, const Val&);  // of an optional: nothing when it is absent
std::uint64_t cost_in_list(std::span<const Val>, const Val&);
std::uint64_t cost_contains(std::span<const Val>, const Val&);
std::uint64_t cost_regex(std::span<const Val>, const Val&);
std::uint64_t cost_join(std::span<const Val>, const Val&);
std::uint64_t cost_traverse(std::span<const Val>, const Val&);
std::uint64_t cost_new_list(std::span<const Val>, const Val&);
std::uint64_t cost_flatten(std::span<const Val>, const Val&);
std::uint64_t cost_sort(std::span<const Val>, const Val&);
std::uint64_t cost_sort_by(std::span<const Val>, const Val&);
std::uint64_t cost_sets(std::span<const Val>, const Val&);
std::uint64_t cost_sets_twice(std::span<const Val>, const Val&);
std::uint64_t cost_contains_ip(std::span<const Val>, const Val&);
std::uint64_t cost_contains_ip_text(std::span<const Val>, const Val&);
std::uint64_t cost_contains_cidr(std::span<const Val>, const Val&);
std::uint64_t cost_contains_cidr_text(std::span<const Val>, const Val&);
std::uint64_t cost_validate(std::span<const Val>, const Val&);

}  // namespace capwright::cel
