// Warnings of a render, such as a range with host bits (S091), count as findings of rules: selection, severities,
// ignored paths and suppressions apply to them.
#pragma once
#include <string_view>
#include <vector>

#include "lint/engine/selection.h"
#include "pipeline/template_set.h"

namespace capwright::lint {

// Removes findings that aren't selected, and applies the configured severities. Errors of a render stay unchanged.
// `values_path`: of the rendered cluster; empty: there is none.
void choose(std::vector<Diagnostic>& diagnostics, const SourceSet& sources, const Selection& selection,
            std::string_view values_path = {});

// The selected findings among the diagnostics of a template set.
std::vector<Diagnostic> findings_of(const TemplateSet& set, const Selection& selection, std::string_view as_of);

}  // namespace capwright::lint
