// Explains a rendered line: for each piece of it the template text, the calls, conditions and loops around it, and the
// values with the layers that set and overrode them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cluster.h"

namespace capwright {

// A value that contributed to a piece of text.
struct ExplainedInput {
  std::string path;  // `worker_pools[0].count`; empty when it isn't a value (a vendored file)
  Span where;
  bool is_default = false;  // the schema's default, at its place in the schema
  bool secret = false;
  std::vector<Span> overridden;  // the values of lower layers, nearest first
};

// A range of bytes in the line with one maker.
struct ExplainedPiece {
  std::uint32_t begin = 0, end = 0;  // bytes of the file
  Span where;                        // the template's literal text or `{{ … }}`
  bool literal = false;
  bool kept = false;              // text of the previous render, which `where` is in; no template and no value
  std::vector<TraceFrame> trace;  // innermost first; includes conditions and loops
  std::vector<ExplainedInput> inputs;
  bool secret = false;  // includes bytes of a secret value
};

struct ExplainedLine {
  std::uint32_t number = 1;  // from 1
  std::uint32_t begin = 0;   // its first byte in the file
  std::string_view text;     // without its line break
  std::vector<ExplainedPiece> pieces;
};

// The pieces of one line (from 1), or of all lines. `cluster` must be compiled with trace_control.
std::vector<ExplainedLine> explain_lines(const CompiledCluster& cluster, const RenderedFile& file,
                                         std::optional<std::uint32_t> line);

}  // namespace capwright
