// How a scalar is written where somebody edits it, beside its text: tags and anchors before it, what an alias stands
// for, and a number that a template prints in another way.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "lint/cluster.h"

namespace capwright::lint {

// `!!int &five 5`: what stands before a scalar, up to its key, bracket or dash.
struct Properties {
  bool tag = false, anchor = false;
};
Properties properties_of(std::string_view source, std::uint32_t begin);

// The number or boolean that `alias`, `*five`, stands for: the scalar at its anchor. Unknown when it can't be found.
Span scalar_at_anchor(std::string_view source, Span alias, const Value& value);

// The number in a values file, unquoted, that alone made the rendered scalar at `where` and is written in another way
// there: `1.30` is printed as `1.3`. Nothing for other scalars, and where it is not the cluster's to edit.
std::optional<Span> number_in_values(const Cluster& cluster, const File& file, Span where);

}  // namespace capwright::lint
