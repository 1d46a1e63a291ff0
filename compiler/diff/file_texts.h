// Differences of files as text.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "diff/change.h"
#include "source/source.h"

namespace capwright::diff {

// Known places of secrets in the files of a side; their `file` is SideFile::source.
using KnownPlaces = std::function<std::vector<Span>(const Side&)>;

// The unified diff of all files of a cluster that differ, ordered by path. Values in the data of Secrets, known places,
// and bytes from secret values, become `<secret, 44 B>`; changed ones `<secret, changed, 44 B>` on the side after. For
// unreadable files that may contain a secret, only the name is shown. Both sides must have been compared.
std::string diff_of_files(const ClusterDiff& diff, Side* before, Side* after, const KnownPlaces& known);

}  // namespace capwright::diff
