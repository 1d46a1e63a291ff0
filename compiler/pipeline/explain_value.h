// Explains a value: the pieces of the rendered files whose bytes come from it, and the lines that exist because of it.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/cluster.h"

namespace capwright {

// A piece of one rendered line. Views point into the cluster's files.
struct MadePiece {
  std::string_view file, text;
  std::uint32_t line = 1, column = 1;
  Span where;  // the template's `{{ … }}`
  bool secret = false;
};

// Lines that a condition or loop with this value produced.
struct DecidedLines {
  std::string_view file;
  std::uint32_t first = 1, last = 1;
  TraceFrame by;
};

struct ExplainedValue {
  std::string path;
  Value value;  // a scalar, or the container that the user named
  std::vector<MadePiece> made;
  std::vector<DecidedLines> decided;
  std::vector<Span> read;  // the places in templates that read it; only if it made and decided nothing
};

// The value at `path`, with all values below it. `cluster` must be compiled with trace_control.
ExplainedValue explain_value(const CompiledCluster& cluster, const Value& value, std::string path);

// The values that a line of a layer sets, also if a higher layer overrides them: scalars on this line, otherwise those
// that the file sets below the container that opens on it. Line 0: all scalars of the file.
std::vector<ExplainedValue> explain_source_line(const CompiledCluster& cluster, std::string_view file,
                                                std::uint32_t line);

}  // namespace capwright
