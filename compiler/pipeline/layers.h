// Collects a cluster's layers: those of the configuration, those that its values file extends, the file itself, and
// those of the command line.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/config.h"
#include "secrets/decrypt_layer.h"
#include "source/file_system.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

inline constexpr std::string_view kStandardInput = "<stdin>";

// Values of the command line, which override all files.
struct ExtraValues {
  std::vector<std::string> files;  // --values, shown paths; kStandardInput for `-`
  std::string standard_input;      // the text read from there
  struct Set {
    std::string assignment;  // path=value
    bool as_string;          // --set-string: the value isn't parsed as YAML
  };
  std::vector<Set> sets;
  // The file system of `files`: a commit to compare with doesn't contain those of the command line. Null: the
  // project's.
  FileSystem* fs = nullptr;
  Workspace workspace;
};

struct LayerRequest {
  std::string values_path;  // shown path of the cluster's own file
  const ExtraValues* extra = nullptr;
  bool as_they_stand = false;  // each file unchanged, including `extends` and flat keys: for a plain template folder
  LayerDecryption decryption = {};
  // Whether a configuration layer for the provider `asked` applies to a cluster with the provider `stated`: a set has
  // two names.
  std::function<bool(std::string_view asked, std::string_view stated)> means = {};
  std::string_view meant_path = {};  // the path that `when.path` of layers is compared with; empty: values_path
};

// The documents, lowest first, without `--set` (see apply_sets()). The first is
// configured_objects(), but not for a plain template folder. Reports errors.
std::vector<Value> load_layers(const LayerRequest&, FileSystem&, const Workspace&, const Config&, Stage&);

// The place in capwright.yaml that names the layer, for messages about it. Rules have no places, so the file is read
// again into the cluster's own sources.
Span place_of_layer(const LayerRule&, FileSystem&, const Workspace&, Stage&);

// `patches` and `resources` of the configuration, which belong to all clusters; Null if it has none. Their places
// belong to the cluster: the file is read again into its sources.
Value configured_objects(FileSystem&, const Workspace&, const Config&, Stage&);

// Applies `--set` and `--set-string` to the merged values, in the given order.
Value apply_sets(Value merged, const ExtraValues&, Stage&);

// Values files of the repository: *.yaml, *.yml and *.json below the configured folders, sorted, as shown paths.
// Reports unreadable folders.
std::vector<std::string> find_values_files(FileSystem&, const Workspace&, const Config&, Sink&);

// The name of a values file without folders and suffix; of `prod-a/values.yaml`, as in golden cases, the folder's.
std::string_view cluster_stem(std::string_view values_path);

}  // namespace capwright
