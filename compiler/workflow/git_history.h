// The commits with earlier renders: `HEAD` of the repository that contains the output folder and, while a merge or a
// rebase is in progress or was just committed, the other commits that files in the folder may come from.
#pragma once
#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "files/history.h"
#include "files/output_tree.h"
#include "git/repository.h"
#include "source/file_system.h"

namespace capwright::workflow {

class GitHistory final : public RenderHistory {
 public:
  // Null if `HEAD` has no rendered clusters in `output`, so that only the folder counts. If the repository can't be
  // read, `why` has the reason.
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
  // Indices of sides. Git merges the changes from `base` to `theirs` into `ours`, which is in the folder before.
  struct Merge {
    std::size_t base, ours, theirs;
  };

  bool open_sides(FileSystem& fs, const std::string& folder);
  void find_merges(FileSystem& fs);
  void add_committed_merge();
  // Adds the commit unless it is already there. Returns its index; empty if it can't be read, as in a shallow clone.
  std::optional<std::size_t> add_side(const git::ObjectId& commit);
  void add_merge(const git::ObjectId& base, const git::ObjectId& ours, const git::ObjectId& theirs);
  // Adds the changes of one commit that is cherry-picked onto, or reverted from, `HEAD`.
  void add_picked(const git::ObjectId& commit, bool reverted);
  // Adds what these sides have of the cluster.
  void add_sides(const std::vector<std::size_t>& sides, const std::string& cluster, PreviousCluster& all,
                 Sink& sink) const;
  // Reads a file in this side's index; an empty text if this side may lack it.
  bool read_render(std::size_t side, const std::string& cluster, const std::string& path, std::string& text) const;

  std::unique_ptr<git::Repository> repository_;
  std::string folder_;                // the output folder, relative to the repository's root
  std::vector<Side> sides_;           // HEAD is the first
  std::vector<std::size_t> equal_;    // sides that previous() treats like HEAD: those merged into it
  std::vector<std::size_t> parents_;  // sides of a merge that HEAD is; empty: it isn't one, or a parent can't be read
  std::vector<Merge> merges_;
  bool is_merging_ = false;
};

// The names of all folders that `clusters/` of the output folder has in a commit up to `HEAD`: the clusters that this
// repository renders, or rendered. Empty without a repository; a shallow clone has only some.
std::set<std::string, std::less<>> clusters_of_history(const std::string& output);

// Whether a folder, which needn't exist yet, is in a Git working tree.
bool inside_work_tree(FileSystem& fs, const std::string& folder);

}  // namespace capwright::workflow
