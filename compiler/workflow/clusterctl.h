// One cluster from a template of clusterctl.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "envsubst/envsubst.h"
#include "workflow/open_project.h"
#include "workflow/stop.h"

namespace capwright::workflow {

// The arguments of `clusterctl generate cluster`. Without `cluster_name`, only the variables count, as in
// `clusterctl generate yaml`.
struct ClusterctlRequest {
  std::string templates;  // a folder with cluster-template.yaml, a file, or `-`
  std::string flavor;
  std::optional<std::string> cluster_name, target_namespace, kubernetes_version;
  std::optional<std::int64_t> control_plane_machine_count, worker_machine_count;
  std::vector<std::string> variable_files;  // of YAML, such as clusterctl.yaml; later ones win
  std::vector<std::string> sets;            // NAME=VALUE
  bool env = false;                         // reads environment variables
};

struct ClusterctlOutput {
  std::optional<Stop> stop;
  // Its one file is the text, its values are the variables that were used. Null after a stop.
  std::unique_ptr<CompiledCluster> cluster;
  // The variables of the template as clusterctl prints them.
  std::string variable_list;
};

// `list_only`: reads the template without substituting.
ClusterctlOutput generate_from_template(OpenProject& open, const ClusterctlRequest& request, bool list_only);

}  // namespace capwright::workflow
