// Lint as its tests see it: the blocks of rules' pages, and spec files with a `findings` block.
#pragma once
#include <string>
#include <string_view>

#include "support/run_case.h"

namespace capwright::spec {

// Runs the pages of one rule, by name, or of all of them (`all`). Prints what differs; true when nothing does.
//
// A block of `## Invalid` has to give exactly the findings that it is annotated with, a block of `## Valid` none; a
// rule needs both. An annotation is `error: [rule-name]` in a comment (or `warning:`, `note:`), with words of the
// message in quotes behind it if wanted: on the line of the finding, or alone on the line above. Blocks with
// `file=PATH` that follow each other are the files of one case: manifests, or a values file and templates (`main.j2` in
// the folder templates).
bool run_rule_pages(std::string_view name);

// A case with a `findings` block, where each line is `file:line:column: severity[CODE] message`. All rules run, unless
// `options` has `select: CODE …`; with `server: true` the API server is asked as well.
bool is_lint_case(const Case&);
std::vector<Mismatch> run_lint_case(const Case&);

}  // namespace capwright::spec
