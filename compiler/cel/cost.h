// The cost of a call in the API server's CEL cost units.
// https://kubernetes.io/docs/reference/using-api/cel/#resource-constraints
#pragma once
#include <cstdint>
#include <span>

#include "cel/bounds.h"
#include "cel/val.h"

namespace capwright::cel {

// Kubernetes' limits: for one evaluation, and for all rules of one object.
inline constexpr std::uint64_t kCostOfOneEvaluation = 1'000'000;
inline constexpr std::uint64_t kCostOfOneObject = 10'000'000;
// For all rules of a repository on all objects of one cluster: a few seconds. The API server has no such limit.
inline constexpr std::uint64_t kCostOfOneCluster = 100'000'000;

// Costs of nodes that aren't calls.
inline constexpr std::uint64_t kCostOfName = 1;  // a variable, a field, a key
inline constexpr std::uint64_t kCostOfList = 10;
inline constexpr std::uint64_t kCostOfMap = 30;

// The cost of a call, known before it runs, so that a call beyond the budget doesn't run.
struct Cost {
  std::uint64_t (*of_args)(std::span<const Val> args, Bounds&);
  // Set if the cost depends on the result; `of_args` is then the minimum.
  std::uint64_t (*of_result)(const Val& result) = nullptr;
};

// Named by functions.def.
std::uint64_t cost_none(std::span<const Val>, Bounds&);
std::uint64_t cost_one(std::span<const Val>, Bounds&);
std::uint64_t cost_scan(std::span<const Val>, Bounds&);  // the first argument is read once
std::uint64_t cost_scan_twice(std::span<const Val>, Bounds&);
std::uint64_t cost_scan_second(std::span<const Val>, Bounds&);
std::uint64_t cost_scan_both(std::span<const Val>, Bounds&);
std::uint64_t cost_scan_shorter(std::span<const Val>, Bounds&);
std::uint64_t cost_equal(std::span<const Val>, Bounds&);
std::uint64_t cost_in_list(std::span<const Val>, Bounds&);
std::uint64_t cost_contains(std::span<const Val>, Bounds&);
std::uint64_t cost_regex(std::span<const Val>, Bounds&);
std::uint64_t cost_traverse(std::span<const Val>, Bounds&);
std::uint64_t cost_flatten(std::span<const Val>, Bounds&);
std::uint64_t cost_sort(std::span<const Val>, Bounds&);
std::uint64_t cost_sort_by(std::span<const Val>, Bounds&);
std::uint64_t cost_sets(std::span<const Val>, Bounds&);
std::uint64_t cost_sets_twice(std::span<const Val>, Bounds&);
std::uint64_t cost_contains_ip(std::span<const Val>, Bounds&);
std::uint64_t cost_contains_ip_text(std::span<const Val>, Bounds&);
std::uint64_t cost_contains_cidr(std::span<const Val>, Bounds&);
std::uint64_t cost_contains_cidr_text(std::span<const Val>, Bounds&);
std::uint64_t cost_validate(std::span<const Val>, Bounds&);

std::uint64_t least_cost_of_join(std::span<const Val>, Bounds&);
std::uint64_t cost_of_index(const Val& result);  // of an optional: nothing when it is absent
std::uint64_t cost_of_joined(const Val& result);
std::uint64_t cost_of_new_list(const Val& result);
inline constexpr Cost cost_index{cost_none, cost_of_index};
inline constexpr Cost cost_join{least_cost_of_join, cost_of_joined};
inline constexpr Cost cost_new_list{cost_none, cost_of_new_list};

}  // namespace capwright::cel
