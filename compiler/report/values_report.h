// The merged values of a cluster with the place that set each of them, and what they make: the outputs of `capwright
// values`, `capwright explain KEY` and `capwright explain VALUES:LINE`. Secrets are redacted.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "pipeline/cluster.h"
#include "pipeline/explain_value.h"

namespace capwright::report {

enum class Origins : std::uint8_t { Hidden, Shown };

// YAML; with Origins::Shown each line ends in a comment that names the place, and long texts of vendored files are
// shortened.
std::string values_yaml(const CompiledCluster&, const Value& value, Origins);

// {"version": 1, "cluster", "values": [{path, value, kind, origin, overrides}]}: one item for each scalar and each
// empty container below `value`, which is at `path`. With Origins::Hidden the value itself.
std::string values_json(const CompiledCluster&, const Value& value, std::string_view path, Origins);

// A block per value: its places, the pieces that it makes, the lines that it decides.
std::string value_uses_text(const CompiledCluster&, std::span<const ExplainedValue>, bool color);

// {"cluster", "explained": [{path, values, makes, decides, read_at}]}, to be joined with those of other
// clusters by value_uses_document(). `values` is the list of values_json().
std::string value_uses_json(const CompiledCluster&, std::span<const ExplainedValue>);
std::string value_uses_document(std::span<const std::string> clusters);

}  // namespace capwright::report
