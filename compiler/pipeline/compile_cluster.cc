// The stages of a compilation, one call each, and the points after which data no longer changes.
#include "pipeline/compile_cluster.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "files/history.h"
#include "files/split.h"
#include "pipeline/check_yaml.h"
#include "pipeline/cover_secrets.h"
#include "pipeline/encrypt_secrets.h"
#include "pipeline/load_values.h"
#include "pipeline/render_cluster.h"
#include "pipeline/seal_secrets.h"
#include "pipeline/secret_policy.h"
#include "pipeline/stamp.h"
#include "rotation/keep.h"
#include "rotation/pin.h"
#include "rotation/rotate.h"
#include "rotation/tombstones.h"

namespace capwright {
namespace {

Stage stage_of(CompiledCluster& cluster, const Project& project) {
  return {cluster.sources, cluster.sink, cluster.arena, cluster.origins, project.options().limits};
}

// Whether both sides of Previous are equal, as for most clusters, so that the files are read only once.
bool is_committed(const PreviousCluster& written, const std::string& cluster, const RenderHistory& history) {
  const auto is_intact = [](const PreviousFile& file) { return file.state == PreviousFile::State::Intact; };
  return written.index && std::all_of(written.files.begin(), written.files.end(), is_intact) &&
         history.has_index(cluster, index_text(*written.index));
}

void check_pin(CompiledCluster& cluster, const Project& project, const PreviousCluster& previous) {
  if (!previous.index || project.options().upgrade_set) return;
  rotation::check_pin(*previous.index, {cluster.stamp, cluster.set->built_in, !cluster.set->rotated.empty()},
                      cluster.name, cluster.sink);
}

void keep_generations(CompiledCluster& cluster, const Project& project, const PreviousCluster& previous, Stage& stage) {
  if (!previous.index || cluster.set->rotated.empty()) return;
  const rotation::KeepOptions options{project.config().retain, project.options().force};
  cluster.files = rotation::keep_generations(std::move(cluster.files), previous, options, cluster.trace, stage);
}

void add_tombstones(CompiledCluster& cluster, const rotation::ReadManifests& manifests, const Project& project,
                    const Previous& previous, Stage& stage) {
  if (cluster.set->plain || !project.config().writes_tombstones()) return;
  const rotation::EarlierObjects earlier{previous.generations(), previous.written, project.options().forget_removed};
  cluster.files = rotation::add_tombstones(std::move(cluster.files), manifests, earlier, cluster.trace, stage);
}

void render_files(CompiledCluster& cluster, Project& project, const Previous& previous, bool trace_control) {
  if (cluster.clean()) check_pin(cluster, project, previous.written);
  if (!cluster.clean()) return;
  const Breadcrumb crumb(cluster.values_path);
  const std::size_t findings = cluster.sink.diagnostics().size();
  Stage stage = stage_of(cluster, project);
  const MappedText text = render_cluster(cluster, stage, trace_control);
  if (!cluster.clean()) return;
  cluster.files = split_files(text, cluster.name, stage, &cluster.trace);
  check_secret_policy(cluster, project.options(), stage);
  rotation::ReadManifests manifests = check_rendered_yaml(cluster, stage);
  const auto& kinds = cluster.set->rotated;
  if (!kinds.empty()) {
    cluster.files = rotation::rotate_names(std::move(cluster.files), manifests,
                                           {kinds, cluster.trace, previous.generations()}, stage);
  }
  if (cluster.clean()) seal_secrets(cluster, project, previous.written, stage);
  // A render with findings must not count as up to date in the next run, because they must be reported again. Findings
  // about the tree are reported once.
  const bool silent = cluster.sink.diagnostics().size() == findings;
  if (cluster.clean()) keep_generations(cluster, project, previous.generations(), stage);
  if (cluster.clean()) add_tombstones(cluster, manifests, project, previous, stage);
  if (project.options().keeps_manifests) cluster.manifests = std::move(manifests);
  if (cluster.clean()) encrypt_secrets(cluster, project, previous.written, stage);
  // From here on the bytes are frozen: later stages only read them.
  cluster.stamp = sealed(std::move(cluster.stamp), cluster.files, silent);
}

}  // namespace

std::unique_ptr<CompiledCluster> compile_cluster(const std::string& values_path, Project& project,
                                                 const OutputTree* tree, bool trace_control) {
  auto cluster = load_cluster(values_path, project);
  const Previous previous = tree != nullptr ? previous_of(*tree, *cluster) : Previous();
  finish_cluster(*cluster, project, previous, trace_control);
  return cluster;
}

std::unique_ptr<CompiledCluster> load_cluster(const std::string& values_path, Project& project) {
  auto cluster = std::make_unique<CompiledCluster>();
  const Breadcrumb crumb(values_path);
  cluster->values_path = values_path;
  cluster->name = cluster_stem(values_path);
  Stage stage = stage_of(*cluster, project);
  load_values(*cluster, project, stage);
  if (cluster->clean()) cluster->stamp = make_stamp(*cluster, project.config());
  if (!cluster->secrets_known && cluster->sink.failed()) cover_unread_secrets(*cluster, project);
  cover_messages(*cluster);
  // From here on the values are frozen.
  return cluster;
}

Previous previous_of(const OutputTree& tree, CompiledCluster& cluster) {
  if (!cluster.clean() || cluster.set->plain) return {};
  Previous previous{read_previous(tree, cluster.name, cluster.sink)};
  if (tree.history() != nullptr && !is_committed(previous.written, cluster.name, *tree.history()))
    previous.committed = tree.history()->previous(cluster.name, cluster.sink);
  // A merge may have removed the index from the tree.
  if (!previous.written.index && previous.committed) previous.written = *previous.committed;
  return previous;
}

void finish_cluster(CompiledCluster& cluster, Project& project, const Previous& previous, bool trace_control) {
  render_files(cluster, project, previous, trace_control);
  cover_messages(cluster);
}

}  // namespace capwright
