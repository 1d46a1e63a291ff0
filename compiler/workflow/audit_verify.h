// Verifies that published files are reproducible: renders the commits of audit rows again.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "audit/row.h"
#include "workflow/audit_session.h"

namespace capwright::workflow {

struct Verification {
  enum class Verdict : std::uint8_t {
    Same,
    Differs,
    Removed,    // nothing to compare: the row records the removal of the cluster, and the branch doesn't contain it
    OtherTool,  // skipped: rendered by another version of capwright
    Unknown,    // can't be rendered here
  };
  Verdict verdict = Verdict::Same;
  std::vector<std::string> faults;  // one line each
};

// In the order of `renders`, which must be complete rows. `any_tool`: also verifies rows of other versions.
std::vector<Verification> verify(const std::vector<audit::ClusterRender>& renders, AuditSession& session,
                                 bool any_tool);

std::string_view word_of(Verification::Verdict verdict);

}  // namespace capwright::workflow
