// The output of `capwright explain FILE:LINE` for people and programs.
#pragma once
#include <span>
#include <string>

#include "pipeline/explain.h"

namespace capwright::report {

// One block per line: the rendered text, then each piece with its template place, its values and its call trace.
// `column` (from 1; 0: all) limits a single line to the piece at that column.
std::string explanation_text(const CompiledCluster&, std::string_view path, std::span<const ExplainedLine>,
                             std::uint32_t column, bool color);

// {"version": 1, "path", "lines": [{line, text, pieces: [{text, template, literal, trace, inputs}]}]}
std::string explanation_json(const CompiledCluster&, std::string_view path, std::span<const ExplainedLine>,
                             std::uint32_t column);

}  // namespace capwright::report
