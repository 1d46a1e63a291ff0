// The places to show for an error in rendered bytes: the value, the template text, and the calls in between.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "value/stage.h"

namespace capwright {

struct Blame {
  Span where;             // the input value, if it alone made all of the bytes; otherwise the template text
  bool by_value = false;  // `where` is the value; then the first label is the template text
  std::vector<Label> labels;
  std::vector<TraceFrame> trace;

  // Adds the labels and the trace to a diagnostic that was reported at `where`.
  void explain(Diagnostic& diagnostic) const;
};

// For the bytes [begin, end) of `rendered`, begin < end. Without `trace`, the calls are omitted.
Blame blame_bytes(const MappedText& rendered, std::uint32_t begin, std::uint32_t end, const Stage& stage,
                  const RenderTrace* trace);

// Where the bytes [begin, end) can be edited, begin < end; empty if they contain a secret.
struct EditablePlace {
  enum class What : std::uint8_t {
    Literal,     // `where` is template text with exactly these bytes
    Input,       // `where` is the scalar of the one input that made all of them, with its quotes
    Expression,  // `where` is the `{{ … }}` that printed all of them, from several inputs or none
  };
  What what = What::Literal;
  Span where;
  Span expression;  // of an Input: the one `{{ … }}` that printed it; unknown if there are several
};
std::optional<EditablePlace> editable_place(const MappedText& rendered, std::uint32_t begin, std::uint32_t end,
                                            const Stage& stage);

// Whether the input at `where` contributed to the bytes [begin, end), begin < end.
bool is_made_of(const MappedText& rendered, std::uint32_t begin, std::uint32_t end, Span where,
                const OriginTable& origins);

// The bytes for display: those of secret values become `***`.
std::string shown_bytes(const MappedText& rendered, std::uint32_t begin, std::uint32_t end);

}  // namespace capwright
