// Changes a cluster's directory in place, for file systems that can't exchange two directories: the steps are written
// first, so that they can be finished after any interruption. Only `write_*` of files/ uses it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace capwright {

// Paths relative to the cluster's directory. Idempotent.
struct Journal {
  std::vector<std::string> remove;  // done first
  std::vector<std::string> move;    // from the staged directory; the index comes last
};

// A staged directory with this file is complete: it will replace its cluster.
inline constexpr std::string_view kJournalName = ".capwright-journal";

// Writes the journal to the staged directory, atomically.
IoError write_journal(FileSystem& fs, const Dir& staged, const Journal& journal);

// `found` is empty if there is no valid journal. After an error it is unknown whether there is one.
IoError read_journal(FileSystem& fs, const Dir& staged, std::optional<Journal>& found);

// Carries out the journal and removes it. Creates the cluster's directory if it is missing. Since a journal may be
// hostile, only files in the cluster's index are removed, and only files in the staged index are moved.
IoError apply_journal(FileSystem& fs, const Dir& staged, PathAt cluster, const Journal& journal);

}  // namespace capwright
