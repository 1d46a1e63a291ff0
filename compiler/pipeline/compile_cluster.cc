// The table of contents of a compilation: one call a stage, and the points after which something doesn't change.
#include "pipeline/compile_cluster.h"

#include <utility>

#include "base/check.h"
#include "files/split.h"
#include "pipeline/check_yaml.h"
#include "pipeline/load_values.h"
#include "pipeline/render_cluster.h"
#include "pipeline/secret_policy.h"
#include "pipeline/stamp.h"

namespace capwright {
namespace {

Stage stage_of(CompiledCluster& cluster, const Project& project) {
  return {cluster.sources, cluster.sink, cluster.arena, cluster.origins, project.options().limits};
}

}  // namespace

std::unique_ptr<CompiledCluster> compile_cluster(const std::string& values_path, Project& project, bool trace_control) {
  auto cluster = load_cluster(values_path, project);
  finish_cluster(*cluster, project, trace_control);
  return cluster;
}

std::unique_ptr<CompiledCluster> load_cluster(const std::string& values_path, Project& project) {
  auto cluster = std::make_unique<CompiledCluster>();
  const Breadcrumb crumb(values_path);
  cluster->values_path = values_path;
  cluster->name = cluster_stem(values_path);
  Stage stage = stage_of(*cluster, project);
  load_values(*cluster, project, stage);
  if (cluster->clean()) cluster->stamp = make_stamp(*cluster);
  // From here on the values are frozen.
  return cluster;
}

void finish_cluster(CompiledCluster& cluster, Project& project, bool trace_control) {
  if (!cluster.clean()) return;
  const Breadcrumb crumb(cluster.values_path);
  const std::size_t findings = cluster.sink.diagnostics().size();
  Stage stage = stage_of(cluster, project);
  const MappedText text = render_cluster(cluster, stage, trace_control);
  if (!cluster.clean()) return;
  cluster.files = split_files(text, cluster.name, stage, &cluster.trace);
  // From here on the bytes are frozen: later stages only look.

  check_secret_policy(cluster, project.options(), stage);
  check_rendered_yaml(cluster, stage);
  // A render with findings is not to be taken for done the next time: they have to be told again.
  const bool silent = cluster.sink.diagnostics().size() == findings;
  cluster.stamp = sealed(std::move(cluster.stamp), cluster.files, silent);
}

}  // namespace capwright
