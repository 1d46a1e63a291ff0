// What made a rendered line: for each piece of it the template text, the calls, conditions and loops on the way, and
// the values with the layers that set and overrode them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/compile_cluster.h"

namespace capwright {

// A value that went into a piece of text.
struct ExplainedInput {
  std::string path;  // `worker_pools[0].count`; empty when it stands in no value (a vendored file)
  Span where;
  bool is_default = false;  // the schema's default, at its place in the schema
  bool secret = false;
  std::vector<Span> overridden;  // what lower layers said, nearest first
};

// A run of bytes of the line with one maker.
struct ExplainedPiece {
  std::uint32_t begin = 0, end = 0;  // bytes of the file
  Span where;                        // the template's literal text or `{{ … }}`
  bool literal = false;
  bool kept = false;              // text of the render before, which is where `where` is; no template and no value
  std::vector<TraceFrame> trace;  // innermost first; conditions and loops are among them
  std::vector<ExplainedInput> inputs;
  bool secret = false;  // bytes of a secret value are among its own
};

struct ExplainedLine {
  std::uint32_t number = 1;  // from 1
  std::uint32_t begin = 0;   // its first byte in the file
  std::string_view text;     // of the rendered file, without its line break
  std::vector<ExplainedPiece> pieces;
};

// The pieces of one line (from 1), or of all lines. `cluster` was compiled with trace_control.
std::vector<ExplainedLine> explain_lines(const CompiledCluster& cluster, const RenderedFile& file,
                                         std::optional<std::uint32_t> line);

}  // namespace capwright
