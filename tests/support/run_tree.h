// Cases about the tree on disk: files of an earlier run (`before`), later changes to them (`disk`), the behavior of the
// disk (options), and the content after the case's files are written (`disk-after`).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "files/file_set.h"
#include "files/outputs.h"
#include "support/spec_file.h"

namespace capwright::spec {

// `force`, `exchange`, `writable`: true or false. `fail: ENOSPC create cluster.yaml` makes the first call fail whose
// log line starts with the first word and ends with the path (see MemoryFs). `outputs`: valid patterns of
// `template.outputs` with a space between them.
bool is_tree_option(std::string_view key);

// The value of an option, or "".
std::string option(const Case& test, std::string_view key);

Outputs outputs_of(const Case& test);

// `--- path` lines, each followed by its text; empty without a block.
struct DiskEntry {
  std::string path, content;
};
std::vector<DiskEntry> entries_of(const Block* block);

// Writes `files` to the disk of `test`. Returns its content afterwards: `--- path` and the text, `--- path -> target`
// for a link; without the ownership index.
std::string write_to_disk(const Case& test, const FileSet& files, Sink& sink);

}  // namespace capwright::spec
