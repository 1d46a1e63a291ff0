// What a render says beside errors, such as a range with host bits (S091), counts as findings of rules do: if it is
// selected, as severely as is set, unless a path or a comment takes it back.
#pragma once
#include <string_view>
#include <vector>

#include "lint/selection.h"
#include "pipeline/template_set.h"

namespace capwright::lint {

// Takes out what the selection leaves out, and gives the rest its severity. Errors of a render stay as they are.
// `values_path`: of the cluster that was rendered; empty: it is about none.
void choose(std::vector<Diagnostic>& diagnostics, const SourceSet& sources, const Selection& selection,
            std::string_view values_path = {});

// Of the faults of a template set those that count.
std::vector<Diagnostic> findings_of(const TemplateSet& set, const Selection& selection, std::string_view as_of);

}  // namespace capwright::lint
