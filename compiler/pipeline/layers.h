// From a cluster's values file to its layers: what the configuration puts below, what the file extends, the file
// itself, and what the command line puts above.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/config.h"
#include "pipeline/decrypt_layer.h"
#include "source/file_system.h"
#include "value/stage.h"
#include "value/value.h"

namespace capwright {

inline constexpr std::string_view kStandardInput = "<stdin>";

// Values of the command line, above all files.
struct ExtraValues {
  std::vector<std::string> files;  // --values, shown paths; kStandardInput for `-`
  std::string standard_input;      // what was read from there
  struct Set {
    std::string assignment;  // path=value
    bool as_string;          // --set-string: the value is not read as YAML
  };
  std::vector<Set> sets;
  // Where `files` are: a commit that is compared with has none of the command line. Null: in the project itself.
  FileSystem* fs = nullptr;
  Workspace workspace;
};

struct LayerRequest {
  std::string values_path;  // shown path of the cluster's own file
  const ExtraValues* extra = nullptr;
  bool as_they_stand = false;  // each file as it is, `extends` and flat keys too: for a plain template folder
  LayerDecryption decryption = {};
  // Whether a configuration layer for the provider `asked` is one for a cluster that states `stated`: a set has two
  // names.
  std::function<bool(std::string_view asked, std::string_view stated)> means = {};
};

// The documents, lowest first; `--set` is not among them, see apply_sets(). Faults are reported.
std::vector<Value> load_layers(const LayerRequest&, FileSystem&, const Workspace&, const Config&, Stage&);

// The merged values with `--set` and `--set-string` applied in the order given.
Value apply_sets(Value merged, const ExtraValues&, Stage&);

// Values files of the repository: *.yaml, *.yml and *.json below the configured folders, sorted; shown paths. A folder
// that can't be read is reported.
std::vector<std::string> find_values_files(FileSystem&, const Workspace&, const Config&, Sink&);

// What a values file is called by: its name without folders and suffix.
std::string_view cluster_stem(std::string_view values_path);

}  // namespace capwright
