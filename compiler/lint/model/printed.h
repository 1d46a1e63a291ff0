// The output of one `{{ … }}` in a template: the scalar that a rule reads, or more than that.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lint/model/cluster.h"
#include "value/provenance.h"

namespace capwright::lint {

// A byte range of a rendered file.
struct Printed {
  std::uint32_t begin = 0, end = 0;
};

// The contiguous output of the expression that printed the byte at `offset`: for a block of YAML that is passed
// through, including the spaces of its indentation.
Printed printed_around(const MappedText& rendered, std::uint32_t offset);

// Whether an expression printed exactly the bytes [begin, end), apart from white space around them. Quotes around the
// expression would then be the scalar's quotes.
bool prints_alone(const MappedText& rendered, std::uint32_t begin, std::uint32_t end);

// The source of the expression that printed the byte at `offset`, such as `{{ pool.flavor }}`. Empty: the byte is text
// of the template, or the file isn't rendered.
std::string_view expression_at(std::uint32_t offset, const Cluster& cluster, const File& file);

// `key: {{ value }}` with a text as value: YAML may parse the unquoted output as another type.
struct PrintedText {
  Span expression;  // `{{ value }}`
  Span inside;      // `value`, or `value | quote`
  Span text;        // `value`: without a last `quote`, which quotes for a shell
  Span value;       // where the text is written
};

// The origin of a text that an expression printed, unchanged and without quotes, as a complete scalar of a rendered
// file. Empty if the value isn't a text, or the expression computes another type or prints more than the scalar.
std::optional<PrintedText> text_without_quotes(const Node& scalar, const Cluster& cluster, const File& file);

// The same for the key of a member.
std::optional<PrintedText> key_without_quotes(const Node& member, const Cluster& cluster, const File& file);

// Whether the last filter of the expression that printed a complete scalar is `quote`: to a shell, `5` needs no quotes.
bool is_quoted_for_shell(const Node& scalar, const Cluster& cluster, const File& file);

// A text that YAML reads up to ` #` only: the rest is a comment to it.
struct CutText {
  PrintedText printed;
  std::string text;   // as printed, with the start of the scalar
  bool alone = true;  // nothing else is printed to the scalar
};

// The text of an expression whose output is a scalar or the end of one, and is cut off by a `#` in it. Empty for a
// comment that begins outside of the text, and for an expression that prints YAML, such as a key and its value.
std::optional<CutText> text_cut_off(const Node& scalar, const Cluster& cluster, const File& file);

}  // namespace capwright::lint
