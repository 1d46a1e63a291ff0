// The commits that a render goes on from: `HEAD` of the repository that holds the output folder and, while a merge or a
// rebase is under way or was just committed, the other commits that files in the folder may be from.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "files/history.h"
#include "files/write.h"
#include "git/repository.h"
#include "source/file_system.h"

namespace capwright::cli {

class GitHistory final : public RenderHistory {
 public:
  // Null where `HEAD` has no rendered clusters in `output`, so that the folder alone counts. If that is because the
  // repository can't be read, `why` says so.
  static std::unique_ptr<GitHistory> open(FileSystem& fs, const std::string& output, std::string& why);

  std::optional<PreviousCluster> previous(const std::string& cluster, Sink& sink) const override;
  bool has_index(const std::string& cluster, std::string_view index_text) const override;
  bool is_merging() const override { return is_merging_; }
  std::vector<Index> renders(const std::string& cluster) const override;
  bool is_merged(const std::string& cluster, const std::string& path, const std::string& text) const override;

 private:
  // The output folder in one commit.
  struct Side {
    git::ObjectId commit;
    std::unique_ptr<git::CommitFiles> files;
    std::unique_ptr<OutputTree> tree;
  };
  // Numbers of sides. Git makes a file of `ours`, which is in the folder before, and of what changes from `base` to
  // `theirs`.
  struct Merge {
    std::size_t base, ours, theirs;
  };

  bool open_sides(FileSystem& fs, const std::string& folder);
  void find_merges(FileSystem& fs);
  void add_committed_merge();
  // Adds the commit if it isn't there yet; its number, or nothing if it can't be read, as in a shallow clone.
  std::optional<std::size_t> add_side(const git::ObjectId& commit);
  void add_merge(const git::ObjectId& base, const git::ObjectId& ours, const git::ObjectId& theirs);
  // What one commit changes, put onto `HEAD`, or taken back.
  void add_picked(const git::ObjectId& commit, bool reverted);
  // The bytes of a file that this side's index lists; empty text for a side that may lack it.
  bool read_render(std::size_t side, const std::string& cluster, const std::string& path, std::string& text) const;

  std::unique_ptr<git::Repository> repository_;
  std::string folder_;              // output, from the repository's root
  std::vector<Side> sides_;         // the first is HEAD
  std::vector<std::size_t> equal_;  // sides that count for previous() like HEAD: those that are merged into it
  std::vector<Merge> merges_;
  bool is_merging_ = false;
};

// Whether a folder, which need not exist yet, lies in a Git work tree.
bool inside_work_tree(FileSystem& fs, const std::string& folder);

}  // namespace capwright::cli
