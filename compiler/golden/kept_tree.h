// The stored tree of a golden case, and the texts that an update would store.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "files/file_set.h"
#include "files/outputs.h"
#include "golden/cases.h"
#include "source/file_system.h"
#include "value/limits.h"

namespace capwright::golden {

// By path, as in a render: `clusters/prod/cluster.yaml`.
using Texts = std::map<std::string, std::string, std::less<>>;

// The files that a cluster may have outside of its directory.
struct KeptOutputs {
  std::string cluster;
  const Outputs* outputs = nullptr;
};

// All files below `clusters/` of the case's directory, and the cluster's outputs, except those whose names begin with a
// dot. Reports unreadable files and symbolic links.
Texts read_kept(FileSystem& fs, const Case& golden, const KeptOutputs& of, const Limits& limits, Sink& sink);

// The files of a render, without secrets.
Texts texts_to_keep(const FileSet& files);

// Whether `kept` was encrypted by `sops`, and its readable parts equal those of `rendered`.
bool is_same_but_encrypted(const std::string& path, const std::string& kept, const std::string& rendered,
                           const Limits& limits);

// A change that makes the stored tree equal to the render.
struct FileEdit {
  std::string path;                 // relative to the case's directory
  std::optional<std::string> text;  // empty: delete the file
};

// Each file is either old or new at any moment; empty directories are removed. Follows no symbolic links, because cases
// may come from a pull request. False: reported; some edits may be done.
bool carry_out(const std::vector<FileEdit>& edits, FileSystem& fs, const Case& golden, Sink& sink);

}  // namespace capwright::golden
