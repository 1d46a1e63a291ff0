// Recognizes clusters with unchanged inputs without loading them twice.
#pragma once
#include "pipeline/cluster.h"
#include "pipeline/project.h"

namespace capwright::diff {

// Two projects that are one repository at two times.
class SameInputs {
 public:
  SameInputs(Project& before, Project& after);

  // Whether the cluster, which was loaded from `after`, would read the same bytes in `before`: every file that it was
  // read from, the template set, and the configuration of both. False if that is unknown, as for values that were
  // decrypted or came from options. Thread-safe.
  bool of(const CompiledCluster& loaded) const;

 private:
  bool has_same_set(const CompiledCluster& loaded) const;

  Project& before_;
  const bool same_configuration_;
};

}  // namespace capwright::diff
