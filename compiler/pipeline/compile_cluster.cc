// The table of contents of a compilation: one call a stage, and the points after which something doesn't change.
#include "pipeline/compile_cluster.h"

#include "base/check.h"
#include "files/split.h"
#include "pipeline/check_yaml.h"
#include "pipeline/load_values.h"
#include "pipeline/render_cluster.h"
#include "pipeline/secret_policy.h"
#include "pipeline/stamp.h"

namespace capwright {

std::unique_ptr<CompiledCluster> compile_cluster(const std::string& values_path, Project& project,
                                                 bool trace_control) {
  auto cluster = std::make_unique<CompiledCluster>();
  const Breadcrumb crumb(values_path);
  cluster->values_path = values_path;
  cluster->name = cluster_stem(values_path);
  Stage stage{cluster->sources, cluster->sink, cluster->arena, cluster->origins, project.options().limits};

  load_values(*cluster, project, stage);
  if (!cluster->clean()) return cluster;
  // From here on the values are frozen.

  const MappedText text = render_cluster(*cluster, stage, trace_control);
  if (!cluster->clean()) return cluster;
  cluster->files = split_files(text, cluster->name, stage, &cluster->trace);
  cluster->stamp = make_stamp(*cluster);
  // From here on the bytes are frozen: later stages only look.

  check_secret_policy(*cluster, project.options(), stage);
  check_rendered_yaml(*cluster, stage);
  return cluster;
}

}  // namespace capwright
