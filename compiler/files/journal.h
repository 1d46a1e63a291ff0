// Changes a cluster in place, if its files aren't in one directory that could be exchanged: the steps are written
// first, so that they can be finished after any interruption. Only `write_*` of files/ uses it.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/file_system.h"

namespace capwright {

class OutputTree;

// Paths as FileSet::path_in_cluster() returns them. Idempotent.
struct Journal {
  // Files of another render, as after a merge: they are removed only while they have these bytes.
  struct LeftOver {
    std::string digest;  // SHA-256 in hexadecimal
    std::string path;
  };
  std::vector<LeftOver> left_over;  // done first
  std::vector<std::string> remove;  // then these
  std::vector<std::string> move;    // from the staged directory; the index comes last
};

// A staged directory with this file is complete: it will replace its cluster.
inline constexpr std::string_view kJournalName = ".capwright-journal";

// Writes the journal to the staged directory, atomically.
IoError write_journal(FileSystem& fs, const Dir& staged, const Journal& journal);

// `found` is empty if there is no valid journal. After an error it is unknown whether there is one.
IoError read_journal(FileSystem& fs, const Dir& staged, std::optional<Journal>& found);

// Where a file is staged, relative to the staged directory.
std::string staged_path(std::string_view path_in_cluster);

// Carries out the journal and removes it. Creates the cluster's directory if it is missing. Since a journal may be
// hostile, only files in the cluster's index or with known bytes are removed, only files in the staged index are moved,
// and only files that the tree's outputs allow are touched outside of the directory.
IoError apply_journal(const OutputTree& tree, const Dir& staged, const std::string& cluster, const Journal& journal);

}  // namespace capwright
