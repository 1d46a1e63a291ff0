// Files as texts that are safe to show, with every secret replaced by a word.
#pragma once
#include <string>

#include "diff/change.h"

namespace capwright::diff {

// The unified diff of all files of a cluster that differ, ordered by path. Values in the data of Secrets, and bytes
// from secret values, become `<secret, 44 B>`; changed ones `<secret, changed, 44 B>` on the side after. For unreadable
// files that may contain a secret, only the name is shown. Both sides must have been compared.
std::string masked_diff(const ClusterDiff& diff, Side* before, Side* after);

}  // namespace capwright::diff
