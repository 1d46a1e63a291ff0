// The results of compiling one cluster: data only. The driver that fills it is pipeline/compile_cluster.h.
#pragma once
#include <string>
#include <vector>

#include "base/arena.h"
#include "diag/diag.h"
#include "files/file_set.h"
#include "files/index.h"
#include "patch/field_history.h"
#include "pipeline/own_objects.h"
#include "pipeline/template_set.h"
#include "rotation/read_manifests.h"
#include "secrets/form.h"
#include "secrets/known_secrets.h"
#include "secrets/redactor.h"
#include "source/source.h"
#include "value/provenance.h"
#include "value/value.h"

namespace capwright {

struct CompiledCluster {
  std::string values_path;  // as shown

  // The data that values, origins and diagnostics point into. Each stage adds to it, through a Stage.
  SourceSet sources;
  Sink sink;
  Arena arena;
  OriginTable origins;

  // The results of loading.
  std::string name;                  // `cluster_name`; the stem of the values file if that is missing or invalid
  const TemplateSet* set = nullptr;  // null: the values don't determine it
  Value values;                      // frozen; Null when they have errors
  Value unchecked;                   // LoadedValues::unchecked
  std::vector<Value> layers;         // as they were merged, lowest first, for messages
  KnownSecrets secrets;              // rendering adds to it
  SecretForm secret_form;
  OwnObjects own;  // of the repository: patches and resources

  // The results of rendering.
  RenderTrace trace;
  std::vector<patch::RemovedField> removed;  // by patches
  FileSet files;
  rotation::ReadManifests manifests;  // the parsed files, with their first names; empty unless keeps_manifests is set
  RenderStamp stamp;                  // of the inputs; sealed when the files are known

  // What its findings must not show.
  secrets::Redactor redactor() const { return secrets::redactor_of(secrets, values, sources); }
  // Whether it may be written.
  bool clean() const { return !sink.failed() && set != nullptr && !set->sink.failed(); }
};

}  // namespace capwright
