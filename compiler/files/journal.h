// Changing a cluster's directory in place, for file systems that can't exchange two directories: what is to be done is
// written down first, so that it can be finished after any interruption. `write_*` of files/ alone uses it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace capwright {

// Paths from the cluster's directory. Doing it twice is the same as doing it once.
struct Journal {
  std::vector<std::string> remove;  // done first
  std::vector<std::string> move;    // from the staged directory; the index is the last one
};

// A staged directory that has one is complete: its cluster is going to be the new one.
inline constexpr std::string_view kJournalName = ".capwright-journal";

// Puts the journal into the staged directory, in one step.
IoError write_journal(FileSystem& fs, const Dir& staged, const Journal& journal);

// Nothing is found when there is no journal, or none of ours. An error: there may be one, nobody knows.
IoError read_journal(FileSystem& fs, const Dir& staged, std::optional<Journal>& found);

// Does what the journal says and takes it away. The cluster's directory is made if it is missing. Since anybody may
// write a journal, only what the cluster's index names is removed, and only what the staged index names moved.
IoError apply_journal(FileSystem& fs, const Dir& staged, PathAt cluster, const Journal& journal);

}  // namespace capwright
