// Values that have no effect because patches replace what they make.
#pragma once
#include <span>
#include <string>

#include "diag/diag.h"
#include "patch/hidden_inputs.h"
#include "pipeline/project.h"
#include "schema/schema.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

// The values of a cluster, and the file that they belong to.
struct ClusterValues {
  const Value& values;
  const std::string& path;
  const TemplateSet& set;
  Project& project;
};

// Warns at each value of a layer or values file that is among `hidden`; once for a map or list all of whose values are.
// The set's schema says which keys can be removed; without one, all.
void report_hidden_values(const ClusterValues&, std::span<const patch::HiddenInput> hidden, Stage& stage);

// How many of the findings are about patches (K516, K517) and suppressed by a comment on their line. Lint and reports
// read comments more exactly; this decides only whether the cluster is rendered again for the sake of its warnings.
std::size_t count_accepted(std::span<const Diagnostic> findings, const SourceSet& sources);

}  // namespace capwright
