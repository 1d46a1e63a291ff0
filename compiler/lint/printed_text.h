// `key: {{ value }}` where the value is text: YAML may read what is printed as something else.
#pragma once
#include <optional>

#include "lint/cluster.h"

namespace capwright::lint {

struct PrintedText {
  Span expression;  // `{{ value }}`
  Span inside;      // `value`
  Span value;       // where the text is written
};

// Where the text is from that an expression printed as all of a scalar of a rendered file, unchanged and without
// quotes. Nothing where the value is no text, the expression computes another type, or prints more than the scalar.
std::optional<PrintedText> text_without_quotes(const Node& scalar, const Cluster& cluster, const File& file);

}  // namespace capwright::lint
