// Files as texts that may be shown: with a word in the place of every secret.
#pragma once
#include <string>

#include "diff/change.h"

namespace capwright::diff {

// The unified diff of all files that differ in a cluster, in the order of their paths. Values in the data of Secrets,
// and bytes that secret values made, are `<secret, 44 B>`; of those that changed, `<secret, changed, 44 B>` on the side
// after. Files that can't be read and may hold one are named only. Both sides have been compared.
std::string masked_diff(const ClusterDiff& diff, Side* before, Side* after);

}  // namespace capwright::diff
