// Compiles one cluster from its values file to its rendered files: the driver, and the place to start reading.
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

// All results of compiling one cluster, and the data that its diagnostics, origins and values point into.
struct CompiledCluster {
  std::string values_path;           // as shown
  std::string name;                  // `cluster_name`; the stem of the values file if that is missing or invalid
  const TemplateSet* set = nullptr;  // null: the values don't determine it

  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;
  Value values;  // frozen; Null when they have errors
  RenderTrace trace;
  FileSet files;
  // The parsed files before names were changed in them: only set with ProjectOptions::keeps_manifests.
  std::optional<rotation::ReadManifests> manifests;
  RenderStamp stamp;                           // sealed when the files are known
  std::vector<Span> secrets;                   // places of secret values in `sources`, redacted when lines are shown
  std::vector<std::string_view> secret_texts;  // the output of templates for them, redacted in messages
  bool secrets_known = false;                  // a schema marked them, or there is none

  // Whether it may be written.
  bool clean() const { return !sink.failed() && set != nullptr && !set->sink.failed(); }
};

// Reports errors in the result's sink. Template names continue those in `tree`; null: there are no earlier names.
// `trace_control`: records the conditions and loops around each text, too, which only `explain` and `plan` need.
std::unique_ptr<CompiledCluster> compile_cluster(const std::string& values_path, Project&,
                                                 const OutputTree* tree = nullptr, bool trace_control = false);

// The two halves of it, for callers that may not need the second: up to frozen values and the stamp of all inputs; then
// the files, unless the first half had errors.
std::unique_ptr<CompiledCluster> load_cluster(const std::string& values_path, Project&);
void finish_cluster(CompiledCluster& cluster, Project&, const Previous&, bool trace_control = false);

// The earlier state of a cluster with known values, from `tree` and its history; empty if it isn't needed.
Previous previous_of(const OutputTree& tree, CompiledCluster& cluster);

}  // namespace capwright
