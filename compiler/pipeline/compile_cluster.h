// Compiles one cluster from its values file to its rendered files: the driver, and the place to start reading.
#pragma once
#include <memory>
#include <string>

#include "pipeline/cluster.h"
#include "pipeline/project.h"

namespace capwright {

class OutputTree;

// Reports errors in the result's sink. Names of rotated templates continue those in `tree` and its history; null: no
// earlier names exist. `trace_control`: records the conditions and loops around each text, too, which only `explain`
// and `plan` need.
std::unique_ptr<CompiledCluster> compile_cluster(const std::string& values_path, Project&,
                                                 const OutputTree* tree = nullptr, bool trace_control = false);

// The two halves of it, for callers that may not need the second: up to frozen values and the stamp of all inputs; then
// the files, unless the first half had errors.
std::unique_ptr<CompiledCluster> load_cluster(const std::string& values_path, Project&);
void finish_cluster(CompiledCluster& cluster, Project&, const OutputTree* tree, bool trace_control = false);

}  // namespace capwright
