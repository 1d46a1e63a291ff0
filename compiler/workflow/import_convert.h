// Brings imported objects into the API versions that capwright renders, as the API server would.
#pragma once
#include <string>
#include <vector>

#include "workflow/import_objects.h"
#include "workflow/session.h"

namespace capwright::workflow {

struct ConvertedObject {
  std::string object;    // `MachineDeployment prod-md-0`
  std::string from, to;  // `cluster.x-k8s.io/v1beta1`
};

struct Conversions {
  std::vector<ConvertedObject> done;
  std::string undecided;  // why an object that the templates render stays in its version; otherwise empty
};

// By the tables of `migrate`: the versions of the objects in `rendered`, and for other kinds the versions that the
// targeted releases store. An object with a field that only a person can decide keeps its version.
Conversions convert_objects(Session& session, const diff::Side& rendered, ImportedCluster& cluster, Arena& arena);

}  // namespace capwright::workflow
