// Whether what was published can be made again: rows of the audit, rendered anew from the commit that they name.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "audit/record.h"
#include "cli/audit_ground.h"

namespace capwright::cli {

struct Verification {
  enum class Verdict : std::uint8_t {
    Same,
    Differs,
    Removed,    // nothing to compare: the row says that the cluster has left the branch, and so it has
    OtherTool,  // not looked at: another version of capwright rendered it
    Unknown,    // it can't be rendered here and now
  };
  Verdict verdict = Verdict::Same;
  std::vector<std::string> faults;  // one line each
};

// In the order of `renders`, which are whole. `any_tool`: another version's are looked at all the same.
std::vector<Verification> verify(const std::vector<audit::ClusterRender>& renders, AuditGround& ground, bool any_tool);

std::string_view word_of(Verification::Verdict verdict);

}  // namespace capwright::cli
