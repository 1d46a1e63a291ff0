// Writes a cluster's rendered files to the tree `<output>/clusters/<name>/`, all or nothing, and compares the two.
// Files that aren't in the index, or that were edited since, are never changed without `force`.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "files/file_set.h"
#include "files/index.h"
#include "files/io_fault.h"
#include "files/outputs.h"
#include "files/text_diff.h"
#include "source/file_system.h"

namespace capwright {

class RenderHistory;

// One output folder with its `clusters/`, during a run. Threads that handle different clusters may share it.
//
// A cluster is staged in `clusters/.capwright-stage/<name>/`: new files are written there, and unchanged and foreign
// ones are linked; then one renameat2(RENAME_EXCHANGE) swaps the directories. At any moment, also after a kill, readers
// find either the old or the new cluster. If the file system can't link or exchange, or if files outside of the
// cluster's directory change, a journal of renames and deletions is written first and then carried out; the next run
// that writes finishes an interrupted one. Nothing is flushed: a power failure may lose the last writes, which then
// appear as an edited file.
class OutputTree {
 public:
  enum class Access : std::uint8_t { Read, Write };

  // `folder` is the path of the output folder for the process, `shown` the one for display; "" is the working
  // directory.
  OutputTree(FileSystem& fs, std::string folder, std::string shown);
  // Removes the stage and unlocks.
  ~OutputTree();
  OutputTree(const OutputTree&) = delete;
  OutputTree& operator=(const OutputTree&) = delete;

  // Call this first. Access::Write locks the folder against other runs, and finishes or removes the remains of a killed
  // run. False: a reported error. The first write creates a missing folder.
  [[nodiscard]] bool open(Access access, Sink& sink);

  // The files that clusters may have outside of `clusters/`; none by default. Call it before open(): all others stay as
  // they are, whatever an index or a journal lists.
  void allow(Outputs outputs) { outputs_ = std::move(outputs); }
  const Outputs& outputs() const { return outputs_; }

  // For write_cluster() and check_cluster().
  FileSystem& fs() const { return fs_; }
  // The output folder; null if it doesn't exist.
  const Dir* folder() const { return has_folder_ ? &output_ : nullptr; }
  // Whether `clusters/` exists. If not, there are no clusters.
  bool has_clusters() const { return has_clusters_; }
  // `clusters/`, if there is one.
  const Dir& clusters() const { return clusters_; }
  std::string shown_path(std::string_view path_in_output) const;
  // The folder for staging; creates it and `clusters/` if they are missing. Null: an error was reported.
  const Dir* stage(Sink& sink);
  // Null: only the output folder records earlier renders. Outlives the tree.
  const RenderHistory* history() const { return history_; }
  void use_history(const RenderHistory* history) { history_ = history; }
  // Held while a journal is carried out: clusters share folders outside of their own, and a thread must not remove an
  // empty one into which another moves a file.
  std::unique_lock<std::mutex> lock_moves() const { return std::unique_lock(moving_); }
  // Something in the stage could not be removed: the next run must try again.
  void leave_stage() { stage_left_ = true; }

 private:
  bool fail(IoTask task, std::string_view path, IoError error, Sink& sink) const;
  std::string folder_path(std::string_view name) const;
  bool open_clusters(Sink& sink);
  bool recover(Sink& sink);
  bool recover_cluster(const DirEntry& entry, Sink& sink);

  FileSystem& fs_;
  std::string folder_;
  std::string shown_;
  Access access_ = Access::Read;
  const RenderHistory* history_ = nullptr;
  Outputs outputs_;
  std::atomic<bool> has_folder_ = false;
  std::atomic<bool> has_clusters_ = false;
  Dir output_;
  Dir clusters_;
  Dir stage_;
  std::atomic<bool> stage_left_ = false;
  std::mutex making_;
  mutable std::mutex moving_;
};

struct WriteOptions {
  bool force = false;  // overwrite and delete files that were edited by hand or that are not in the index
};

struct WriteResult {
  enum class Outcome : std::uint8_t {
    Unchanged,  // nothing to do, nothing changed
    Written,
    Refused,  // files that capwright doesn't own are in the way (findings)
    Failed,   // a file system error
  };
  Outcome outcome = Outcome::Unchanged;
  // Paths relative to the output folder, sorted; for a Refused cluster, the files that would have been written.
  std::vector<std::string> written;
  std::vector<std::string> deleted;
  // Files that were in the cluster's directory before its first render, which doesn't render them. Relative to the
  // output folder, without those whose names begin with a dot.
  std::vector<std::string> unrendered;
};

// Whether the index of a cluster lists these inputs, and all of its files match it; with a history, also whether it is
// committed. Not for inputs with secrets, which their stamp doesn't cover. Errors aren't reported: a render finds them
// again.
bool is_up_to_date(const OutputTree& tree, const std::string& cluster, const RenderStamp& inputs);

// `tree` must be open for writing.
WriteResult write_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp, WriteOptions options,
                          Sink& sink);

// One file that differs between the tree and the render.
struct TreeDifference {
  enum class Kind : std::uint8_t { Missing, Changed, Extra };
  Kind kind = Kind::Changed;
  std::string path;      // relative to the output folder
  bool by_hand = false;  // the file on disk doesn't match the index either
  std::string diff;      // unified, from the tree to the rendered file; empty for secrets and binary text
};

struct CheckOptions {
  DiffOptions diff;
  std::function<bool(std::string_view text)> is_hidden;  // whether to hide the content of a file; none: never
};

// Sorted by path; empty if a render would change only the record of its inputs. Never writes.
std::vector<TreeDifference> check_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp,
                                          const CheckOptions&, Sink& sink);

// Cluster directories of earlier renders that no longer have a values file.

// The directories of the tree with a capwright index whose name isn't in `names`, in order.
std::vector<std::string> unclaimed_clusters(const OutputTree& tree, const std::set<std::string>& names);

// The files outside of its directory that the index of a cluster lists, that the tree's outputs allow and that exist.
std::vector<std::string> outputs_of(const OutputTree& tree, const std::string& cluster);

// Reports each unclaimed cluster, and links in `clusters/`. A check of the tree reports an error: no render makes such
// a tree.
void report_unclaimed(const OutputTree& tree, const std::set<std::string>& names, Sink& sink,
                      Severity severity = Severity::Warning);

}  // namespace capwright
