// Finds `key: {{ value }}` with a text as value: YAML may parse the unquoted output as another type.
#pragma once
#include <optional>

#include "lint/model/cluster.h"

namespace capwright::lint {

struct PrintedText {
  Span expression;  // `{{ value }}`
  Span inside;      // `value`
  Span value;       // where the text is written
};

// The origin of a text that an expression printed, unchanged and without quotes, as a complete scalar of a rendered
// file. Empty if the value isn't a text, or the expression computes another type or prints more than the scalar.
std::optional<PrintedText> text_without_quotes(const Node& scalar, const Cluster& cluster, const File& file);

}  // namespace capwright::lint
