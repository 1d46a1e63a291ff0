// Where the merged values of a cluster come from, and how a user names one of them.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cluster.h"
#include "values/merge.h"

namespace capwright {

struct ValueSource {
  enum class Kind : std::uint8_t {
    Layer,     // another file than the cluster's own, or `--set`
    Values,    // the cluster's values file
    Default,   // the schema's default
    Computed,  // from several inputs by a `${reference}`, or from the add-on catalogue
  };
  struct Part {
    Span where;
    bool is_default = false;
    std::vector<Span> overridden;  // the values of lower layers, nearest first
  };
  Kind kind = Kind::Computed;
  std::vector<Part> parts;  // Computed: any number, otherwise one
};

ValueSource source_of(const CompiledCluster& cluster, const Value& value);

// The value at a path; null if there is none.
const Value* value_at(const Value& root, std::span<const values::PathStep> path);

// A hint for a path that the values don't have: the similar path, or empty.
std::string similar_path(const CompiledCluster& cluster, std::span<const values::PathStep> path);

// Whether the schema declares a path that the values don't have.
bool is_declared(const CompiledCluster& cluster, std::span<const values::PathStep> path);

}  // namespace capwright
