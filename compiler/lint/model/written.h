// How a scalar is written in its source, in addition to its text: tags and anchors before it, the target of an alias,
// and numbers that a template prints differently.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "lint/model/cluster.h"

namespace capwright::lint {

// The properties before a scalar, such as `!!int &five 5`, back to its key, bracket or dash.
struct Properties {
  bool tag = false, anchor = false;
};
Properties properties_of(std::string_view source, std::uint32_t begin);

// The number or boolean that `alias`, `*five`, refers to: the scalar at its anchor. Unknown if it isn't found.
Span scalar_at_anchor(std::string_view source, Span alias, const Value& value);

// The unquoted number in a values file that alone produced the rendered scalar at `where` and is written differently:
// `1.30` is printed as `1.3`. Empty for other scalars, and where the cluster's user can't edit it.
std::optional<Span> number_in_values(const Cluster& cluster, const File& file, Span where);

// The source of an unquoted key that the API server's reader turns into another text: `no` becomes `false`, `0x10`
// becomes `16`. Empty for keys that stay as they are written.
std::optional<std::string_view> retyped_key(const Node& member);

// Whether a text of a values file alone produced the rendered scalar at `where`: quotes there change nothing. Not for
// parts of a block scalar.
bool is_text_of_values(const Cluster& cluster, const File& file, Span where);

}  // namespace capwright::lint
