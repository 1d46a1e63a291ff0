// The tree that is kept with a golden case, and the texts that a render would keep.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "files/file_set.h"
#include "golden/cases.h"
#include "source/file_system.h"
#include "value/limits.h"

namespace capwright::golden {

// By path, as the files of a render are named: `clusters/prod/cluster.yaml`.
using Texts = std::map<std::string, std::string, std::less<>>;

// All files below `clusters/` of the case's folder but those whose names begin with a dot. What can't be read, symbolic
// links among it, is reported.
Texts read_kept(FileSystem& fs, const Case& golden, const Limits& limits, Sink& sink);

// The files of a render, without secrets.
Texts texts_to_keep(const FileSet& files);

// Whether `kept` was encrypted by `sops`, and says the same as `rendered` where it can be read without the key.
bool is_same_but_encrypted(const std::string& path, const std::string& kept, const std::string& rendered,
                           const Limits& limits);

// What would make the kept tree be what is rendered.
struct FileEdit {
  std::string path;                 // from the case's folder
  std::optional<std::string> text;  // nothing: it goes
};

// Each file is the old or the new one at any moment; folders that are left empty go. Through no symbolic link: a case
// is what a pull request brings. False: reported, some may be done.
bool carry_out(const std::vector<FileEdit>& edits, FileSystem& fs, const Case& golden, Sink& sink);

}  // namespace capwright::golden
