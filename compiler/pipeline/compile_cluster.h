// One cluster from its values file to its rendered files: the driver, and the place to start reading.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "files/file_set.h"
#include "files/index.h"
#include "files/previous.h"
#include "pipeline/project.h"
#include "rotation/read_manifests.h"
#include "value/stage.h"

namespace capwright {

// Everything that one cluster's compilation made, and what its diagnostics, origins and values point into.
struct CompiledCluster {
  std::string values_path;           // shown
  std::string name;                  // `cluster_name`; the values file's stem when that is missing or wrong
  const TemplateSet* set = nullptr;  // null: the values don't say which

  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Value values;  // frozen; Null when they have errors
  RenderTrace trace;
  FileSet files;
  // What was read of them before names were changed in them: for ProjectOptions::keeps_manifests alone.
  std::optional<rotation::ReadManifests> manifests;
  RenderStamp stamp;          // sealed when the files are known
  std::vector<Span> secrets;  // places of secret values in `sources`, to be masked when lines are shown
  std::vector<std::string_view> secret_texts;  // what templates made of them, to be covered in messages
  bool secrets_known = false;                  // a schema was asked, or there is none

  // Nothing stands in the way of writing it.
  bool clean() const { return !sink.failed() && set != nullptr && !set->sink.failed(); }
};

// Never fails as such: faults are in the result's sink. Names of templates go on from what `tree` has of the cluster;
// null: from nothing. `trace_control`: frames also tell the conditions and loops that let text out, which `explain`
// and `plan` show and nothing else pays for.
std::unique_ptr<CompiledCluster> compile_cluster(const std::string& values_path, Project&,
                                                 const OutputTree* tree = nullptr, bool trace_control = false);

// Its two halves, for who may not need the second: up to frozen values and the stamp of all that goes into a render;
// then the files, unless the first half had errors.
std::unique_ptr<CompiledCluster> load_cluster(const std::string& values_path, Project&);
void finish_cluster(CompiledCluster& cluster, Project&, const Previous&, bool trace_control = false);

// What `tree` and its history have of a cluster whose values are known; nothing if it makes no difference.
Previous previous_of(const OutputTree& tree, CompiledCluster& cluster);

}  // namespace capwright
