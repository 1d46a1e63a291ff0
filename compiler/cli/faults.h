// Shows why a workflow has no result.
#pragma once
#include "cli/console.h"
#include "workflow/comparison.h"
#include "workflow/open_project.h"
#include "workflow/stop.h"

namespace capwright::cli {

// Shows the findings that stop a command and returns its exit code: first those of finding and reading the repository,
// then those of a cluster, or of its template set if that has errors.
int show_faults(workflow::OpenProject&, Console&);
int show_faults(const CompiledCluster&, Console&);
// The same for findings without sources.
int show_faults(const Sink&, Console&);
int show_faults(const workflow::Stop&, workflow::OpenProject&, Console&);

// Shows what kept the sides of a comparison from being opened or rendered; null: nothing was compared. Returns whether
// the side after has no errors: a base that can't be rendered doesn't count.
bool show_faults(workflow::Comparison&, const diff::FleetResult*, Console&);

// Options for printing findings, which are text, whatever format the result has.
CommonOptions for_findings(CommonOptions common);

}  // namespace capwright::cli
