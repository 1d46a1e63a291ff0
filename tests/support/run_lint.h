// Tests of lint: the cases of rules, and spec files with a `findings` block.
#pragma once
#include <string>
#include <string_view>

#include "support/run_case.h"

namespace capwright::spec {

// Runs the cases of the rule `name`: the blocks of its page and those of `folder`/<name>.md, if there is such a file.
// Prints what differs; true when nothing does.
//
// A block of `## Example` or `## Invalid` must give exactly the findings that it is annotated with, a block of
// `## Use instead` or `## Valid` none. An annotation is a comment `error: [rule-name]` (or `warning:`, `note:`), with
// words of the message in quotes after it if wanted: on the line of the finding, or alone on the line above.
// Consecutive blocks with `file=PATH` are the files of one case: manifests, or a values file and templates (`main.j2`
// in the folder templates).
// `## Fix` holds pairs of cases: before and after the fix.
bool run_rule_cases(const std::string& folder, std::string_view name);

// A case with a `findings` block, where each line is `file:line:column: severity[CODE] message`. All rules run, unless
// `options` has `select: CODE …`; with `server: true` the API server's checks run, too.
bool is_lint_case(const Case&);
std::vector<Mismatch> run_lint_case(const Case&);

}  // namespace capwright::spec
