// Where the bytes of a rendered cluster come from: the output of `capwright explain FILE:LINE` and the source map.
#pragma once
#include <span>
#include <string>

#include "pipeline/cluster.h"
#include "pipeline/explain.h"

namespace capwright::report {

// One block per line: the rendered text, then each piece with its template place, its values and its call trace.
// `column` (from 1; 0: all) limits a single line to the piece at that column.
std::string explanation_text(const CompiledCluster&, std::string_view path, std::span<const ExplainedLine>,
                             std::uint32_t column, bool color);

// {"version": 1, "path", "lines": [{line, text, pieces: [{text, template, literal, trace, inputs}]}]}
std::string explanation_json(const CompiledCluster&, std::string_view path, std::span<const ExplainedLine>,
                             std::uint32_t column);

// The source map of a rendered cluster: the template text and the values that made each byte. docs/source-map.md
// describes the format.

// JSON, deterministic; contains only places, never bytes of a value.
std::string source_map(const CompiledCluster& cluster);

}  // namespace capwright::report
