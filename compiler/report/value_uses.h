// What values make: the output of `capwright explain KEY` and `capwright explain VALUES:LINE`. Secrets are redacted.
#pragma once
#include <span>
#include <string>

#include "pipeline/cluster.h"
#include "pipeline/explain_value.h"

namespace capwright::report {

// A block per value: its places, the pieces that it makes, the lines that it decides.
std::string value_uses_text(const CompiledCluster&, std::span<const ExplainedValue>, bool color);

// {"cluster", "explained": [{path, values, makes, decides}]}, to be joined with those of other
// clusters by value_uses_document(). `values` is the list of values_json().
std::string value_uses_json(const CompiledCluster&, std::span<const ExplainedValue>);
std::string value_uses_document(std::span<const std::string> clusters);

}  // namespace capwright::report
