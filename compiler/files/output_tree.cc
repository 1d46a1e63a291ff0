// The output folder as a whole: locking, and recovery after a killed run.
#include "files/output_tree.h"

#include <cerrno>
#include <utility>

#include "diag/catalog/tree.h"
#include "files/journal.h"

namespace capwright {
namespace {

constexpr std::string_view kClusters = "clusters";
constexpr std::string_view kStage = ".capwright-stage";
// Excludes the remains of a killed run from commits.
constexpr std::string_view kIgnoreName = ".gitignore";
constexpr std::string_view kIgnoreAll = "*\n";

}  // namespace

OutputTree::OutputTree(FileSystem& fs, std::string folder, std::string shown)
    : fs_(fs), folder_(std::move(folder)), shown_(std::move(shown)) {}

OutputTree::~OutputTree() {
  if (!stage_.is_open() || stage_left_) return;
  // Errors are left to the next run, which finds the stage and removes it.
  static_cast<void>(fs_.remove(stage_ / kIgnoreName));
  static_cast<void>(fs_.remove_dir(clusters_ / kStage));
}

std::string OutputTree::shown_path(std::string_view path_in_output) const {
  if (shown_.empty()) return std::string(path_in_output);
  return shown_ + (shown_.ends_with('/') ? "" : "/") + std::string(path_in_output);
}

bool OutputTree::fail(IoTask task, std::string_view path, IoError error, Sink& sink) const {
  report_io_fault(sink, task, shown_path(path), error);
  return false;
}

bool OutputTree::open(Access access, Sink& sink) {
  access_ = access;
  return open_clusters(sink) && (access == Access::Read || !has_clusters_ || recover(sink));
}

// The output folder may be a link; `clusters` below it may not.
bool OutputTree::open_clusters(Sink& sink) {
  IoError error;
  if (!has_folder_) error = output_.open(fs_, folder_.empty() ? "." : folder_);
  if (!error) has_folder_ = true;  // from now on other threads use the handle
  if (!error) error = clusters_.open(fs_, output_ / kClusters);
  if (error.code == ENOENT) return true;
  if (error) return fail(IoTask::List, kClusters, error, sink);
  if (access_ == Access::Write) error = fs_.lock(clusters_.id());
  if (error.code == EWOULDBLOCK) {
    sink.report(diag::tree_in_use, {}, shown_path(kClusters));
    return false;
  }
  has_clusters_ = !error;  // as above
  return !error || fail(IoTask::Write, kClusters, error, sink);
}

const Dir* OutputTree::stage(Sink& sink) {
  const std::lock_guard guard(making_);
  if (stage_.is_open()) return &stage_;
  if (!has_clusters_) {
    const std::string path = folder_.empty() ? std::string(kClusters) : folder_ + "/" + std::string(kClusters);
    const IoError error = make_dirs(fs_, path);
    if (error) {
      fail(IoTask::Write, kClusters, error, sink);
      return nullptr;
    }
    if (!open_clusters(sink)) return nullptr;
  }
  IoError error = fs_.make_dir(clusters_ / kStage, kDirectoryMode);
  if (!error || error.code == EEXIST) error = stage_.open(fs_, clusters_ / kStage);
  if (!error) error = fs_.create(stage_ / kIgnoreName, kIgnoreAll, kFileMode);
  if (!error || error.code == EEXIST) return &stage_;
  // A full disk can leave an empty .gitignore, which ignores nothing: remove it, or the stage could be committed.
  if (stage_.is_open()) static_cast<void>(fs_.remove(stage_ / kIgnoreName));
  stage_.close();
  static_cast<void>(fs_.remove_dir(clusters_ / kStage));
  fail(IoTask::Write, kClusters, error, sink);
  return nullptr;
}

bool OutputTree::recover(Sink& sink) {
  const IoError error = stage_.open(fs_, clusters_ / kStage);
  if (error.code == ENOENT) return true;
  const std::string stage_path = std::string(kClusters) + "/" + std::string(kStage);
  if (error) return fail(IoTask::List, stage_path, error, sink);
  std::vector<DirEntry> entries;
  if (const IoError failed = fs_.list(stage_ / ".", entries)) return fail(IoTask::List, stage_path, failed, sink);
  for (const DirEntry& entry : entries) {
    if (entry.name != kIgnoreName && !recover_cluster(entry, sink)) return false;
  }
  return true;
}

// Finishes a staged directory with a journal; removes any other, which is an incomplete cluster or an old one.
bool OutputTree::recover_cluster(const DirEntry& entry, Sink& sink) {
  const std::string shown = std::string(kClusters) + "/" + entry.name;
  std::string_view outcome = "cleaned up";
  IoError error;
  if (entry.type == FileType::Directory) {
    Dir staged;
    std::optional<Journal> journal;
    error = staged.open(fs_, stage_ / entry.name);
    if (!error) error = read_journal(fs_, staged, journal);
    if (journal) {
      error = apply_journal(*this, staged, entry.name, *journal);
      outcome = "finished";
    }
    if (!error) error = remove_tree(fs_, stage_ / entry.name);
  } else {
    error = fs_.remove(stage_ / entry.name);
  }
  if (error) {
    leave_stage();
    return fail(IoTask::Write, shown, error, sink);
  }
  sink.report(diag::write_was_interrupted, {}, shown_path(shown), outcome);
  return true;
}

}  // namespace capwright
