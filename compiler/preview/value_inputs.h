// The values file and layers of a cluster, as a page may show and change them.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "preview/live_repository.h"

namespace capwright::preview {

// Paths of the values file and layers, lowest first; those of the command line aren't files of the repository.
nlohmann::ordered_json input_paths(const CompiledCluster& compiled);

struct InputText {
  bool is_known = false;  // an input of the cluster
  std::string shown;      // without secrets
  std::string why_fixed;  // why it can't be edited; empty: it can

  bool is_editable() const { return is_known && why_fixed.empty(); }
};
InputText read_input(const std::string& path, const CompiledCluster& compiled, Repository& repository);

}  // namespace capwright::preview
