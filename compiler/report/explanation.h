// `capwright explain FILE:LINE` as people and programs read it.
#pragma once
#include <span>
#include <string>

#include "pipeline/explain.h"

namespace capwright::report {

// A block a line: the rendered text, then each piece with its template place, its values and how it got there.
// `column` (from 1; 0: all) narrows a single line to the piece that holds it.
std::string explanation_text(const CompiledCluster&, std::string_view path, std::span<const ExplainedLine>,
                             std::uint32_t column, bool color);

// {"version": 1, "path", "lines": [{line, text, pieces: [{text, template, literal, trace, inputs}]}]}
std::string explanation_json(const CompiledCluster&, std::string_view path, std::span<const ExplainedLine>,
                             std::uint32_t column);

}  // namespace capwright::report
