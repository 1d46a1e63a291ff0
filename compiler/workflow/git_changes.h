// Changes since a revision, from the program `git`, for `lint --new-from-rev`.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "git/object_id.h"
#include "lint/engine/changed_lines.h"
#include "workflow/open_project.h"

namespace capwright::workflow {

class GitChanges {
 public:
  // Why git failed.
  struct Fault {
    std::string text;                      // the reason and the fix; empty: `missing` is the reason
    std::optional<git::ObjectId> missing;  // an object of the revision that a partial clone lacks
    bool is_unknown = false;               // the revision
  };
  // Runs git in the repository's root; with `merge_base`, compares with the merge base of HEAD and the revision. Empty
  // if git fails.
  static std::optional<GitChanges> since(const std::string& revision, bool merge_base, OpenProject& open, Fault& fault);

  // Whether the text at `span` was added or changed. `is_rendered`: it is in a file that capwright would write, which
  // may be missing on disk, or ignored by git, without being new.
  bool has(Span span, const SourceSet& sources, bool is_rendered);
  // The same for a place of the finding, or its cluster's values file, if that is new. `rendered`: paths of the files
  // that are rendered.
  bool touches(const Diagnostic& diagnostic, const SourceSet& sources, std::string_view values_path,
               const std::set<std::string, std::less<>>& rendered);
  // Whether the file is untracked.
  bool is_new(std::string_view shown_path);

 private:
  explicit GitChanges(const OpenProject& open)
      : workspace_(open.project->workspace()), input_bytes_(open.limits.input_bytes) {}
  std::string path_in_git(std::string_view shown_path) const;

  // A file, and its differences from the text that was last checked under its name.
  struct OnDisk {
    bool is_gone = false;
    std::string text;
    std::optional<std::string> looked_at;
    std::vector<LineChange> changes;
  };
  Workspace workspace_;
  std::uint64_t input_bytes_;
  RealFs files_;        // git compares files on disk, whatever is edited in memory
  std::string prefix_;  // from the top of the working tree to the root: "", "fleet/"
  std::set<std::string, std::less<>> tracked_, untracked_;
  lint::ChangedLines lines_;
  std::map<std::string, OnDisk, std::less<>> on_disk_;  // by shown path
};

}  // namespace capwright::workflow
