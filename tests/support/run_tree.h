// Cases about the tree on disk: what an earlier run rendered (`before`), what others did to it (`disk`), how the disk
// behaves (options), and what is there after the case's files were written (`disk-after`).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "files/file_set.h"
#include "support/spec_file.h"

namespace capwright::spec {

// `force`, `exchange`, `writable`: true or false. `fail: ENOSPC create cluster.yaml` makes the first call fail whose
// log line starts with the word and ends with the path (see MemoryFs).
bool is_tree_option(std::string_view key);

// The value of an option, or "".
std::string option(const Case& test, std::string_view key);

// `--- path` lines, each with the text below it; none for no block.
struct DiskEntry {
  std::string path, content;
};
std::vector<DiskEntry> entries_of(const Block* block);

// Writes `files` to the disk that `test` describes. Answers what is there afterwards: `--- path` and the content,
// `--- path -> target` for a link; without the ownership index.
std::string write_to_disk(const Case& test, const FileSet& files, Sink& sink);

}  // namespace capwright::spec
