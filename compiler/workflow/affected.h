// The clusters whose output can differ from that of a revision: those with an input that differs. If no input of a
// cluster differs, a render of the revision reads the same, and so makes the same.
#pragma once
#include <string>
#include <vector>

#include "report/inputs_report.h"
#include "workflow/open_project.h"
#include "workflow/requests.h"

namespace capwright::workflow {

struct AffectedRequest {
  std::string base;         // a revision
  bool merge_base = false;  // use the merge base of `base` and HEAD
  Shard shard;
  unsigned jobs = 0;  // 0: one per processor
};

// Returns false after an error in the project's sink. `open` was opened for `repository`.
bool find_affected(const AffectedRequest& request, const RepositoryOptions& repository, OpenProject& open,
                   report::AffectedClusters& affected);

}  // namespace capwright::workflow
