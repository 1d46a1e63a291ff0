// The merged values of a cluster with the place that set each of them, without secrets.
#pragma once
#include <string>
#include <string_view>

#include "pipeline/cluster.h"

namespace capwright::report {

enum class Origins : std::uint8_t { Hidden, Shown };

// YAML; with Origins::Shown each line ends in a comment that names the place, and long texts of vendored files are
// shortened.
std::string values_yaml(const CompiledCluster&, const Value& value, Origins);

// {"version": 1, "cluster", "values": [{path, value, kind, origin, overrides}]}: one item for each scalar and each
// empty container below `value`, which is at `path`. With Origins::Hidden the value itself.
std::string values_json(const CompiledCluster&, const Value& value, std::string_view path, Origins);

}  // namespace capwright::report
