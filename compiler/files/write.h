// Bringing a cluster's rendered files into the tree `<output>/clusters/<name>/`, all or nothing, and comparing the two.
// Files that the index doesn't name, or that were edited since, are never touched without `force`.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "files/file_set.h"
#include "files/index.h"
#include "files/io_fault.h"
#include "files/text_diff.h"
#include "source/file_system.h"

namespace capwright {

class RenderHistory;

// `clusters/` of one output folder, for as long as a run uses it. May be shared by threads that handle different
// clusters.
//
// A cluster is staged in `clusters/.capwright-stage/<name>/`: new files are written there, unchanged and foreign ones
// are linked in; then one renameat2(RENAME_EXCHANGE) makes it the cluster. Whoever looks, and whoever kills the process
// at any moment, finds the old or the new cluster. Where the file system can't link or exchange, a journal of renames
// and deletions is written first and then carried out; a run that is killed in between is finished by the next one.
// Nothing is flushed: a power cut may lose what was written last, and shows as an edited file.
class OutputTree {
 public:
  enum class Access : std::uint8_t { Look, Write };

  // `folder` is how the process reaches the output folder, `shown` how the user knows it; "" is the working directory.
  OutputTree(FileSystem& fs, std::string folder, std::string shown);
  // Removes the stage and unlocks.
  ~OutputTree();
  OutputTree(const OutputTree&) = delete;
  OutputTree& operator=(const OutputTree&) = delete;

  // To be called first. Access::Write excludes other runs from the folder and finishes or cleans away what a killed one
  // left. False: can't go on, reported. A folder that doesn't exist yet is made by the first write.
  [[nodiscard]] bool open(Access access, Sink& sink);

  // The parts that write_cluster() and check_cluster() are made of.
  FileSystem& fs() const { return fs_; }
  // Is there a `clusters/`? If not, no cluster is in it.
  bool has_clusters() const { return has_clusters_; }
  // `clusters/`, if there is one.
  const Dir& clusters() const { return clusters_; }
  std::string shown_path(std::string_view path_in_output) const;
  // The folder to stage in; `clusters/` and itself are made if they are missing. Null: reported.
  const Dir* stage(Sink& sink);
  // Null: only the folder itself says what was rendered before. Outlives the tree.
  const RenderHistory* history() const { return history_; }
  void use_history(const RenderHistory* history) { history_ = history; }
  // Something in the stage could not be removed: the next run has to try.
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
  Access access_ = Access::Look;
  const RenderHistory* history_ = nullptr;
  std::atomic<bool> has_clusters_ = false;
  Dir clusters_;
  Dir stage_;
  std::atomic<bool> stage_left_ = false;
  std::mutex making_;
};

struct WriteOptions {
  bool force = false;  // overwrite and delete files that were edited by hand or that are not in the index
};

struct WriteResult {
  enum class Outcome : std::uint8_t {
    Unchanged,  // nothing to do, nothing touched
    Written,
    Refused,  // files that are not ours to change are in the way (findings)
    Failed,   // the file system said no
  };
  Outcome outcome = Outcome::Unchanged;
  // Paths from the output folder, sorted; of a Refused cluster: what would have been done.
  std::vector<std::string> written;
  std::vector<std::string> deleted;
};

// Whether the index of a cluster says that these inputs were rendered, and all of its files are as it says; with a
// history, whether that is committed, too. Inputs with secrets are not for this: their stamp doesn't tell them. Faults
// are not reported: a render meets them again.
bool is_up_to_date(const OutputTree& tree, const std::string& cluster, const RenderStamp& inputs);

// `tree` is open for writing.
WriteResult write_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp, WriteOptions options,
                          Sink& sink);

// One file in which the tree differs from the rendered files.
struct TreeDifference {
  enum class Kind : std::uint8_t { Missing, Changed, Extra };
  Kind kind = Kind::Changed;
  std::string path;      // from the output folder
  bool by_hand = false;  // on disk it isn't what the index says either
  std::string diff;      // unified, from the tree to the rendered file; empty for secrets and binary text
};

struct CheckOptions {
  DiffOptions diff;
  std::function<bool(std::string_view text)> is_hidden;  // whether nothing of a file is to be shown; none: of no file
};

// Sorted by path; empty when a render would change nothing but the record of what it read. Never writes.
std::vector<TreeDifference> check_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp,
                                          const CheckOptions&, Sink& sink);

}  // namespace capwright
