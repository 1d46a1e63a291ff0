// Submodules are left out, as in `git archive`.
#include "workflow/exported_commit.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <vector>

#include "files/io_fault.h"
#include "source/real_fs.h"

namespace capwright::workflow {
namespace {

constexpr int kDeepestCopy = 100;  // links can lead in circles

class Export {
 public:
  Export(FileSystem& commit, std::string root) : commit_(commit), root_(std::move(root)) {}

  // The path that failed is in `failed`.
  IoError copy_below(const std::string& folder, int depth, std::string& failed) {
    std::vector<DirEntry> entries;
    failed = folder.empty() ? "." : folder;
    if (depth == 0) return {ELOOP};
    if (const IoError error = commit_.list(failed, entries)) return error;
    if (const IoError error = make_dirs(real_, place(folder))) return error;
    for (const DirEntry& entry : entries) {
      const std::string path = folder.empty() ? entry.name : folder + "/" + entry.name;
      FileStat stat;
      if (commit_.stat(path, stat)) continue;  // a link out of the commit, or to nothing
      IoError error;
      if (stat.type == FileType::Directory) error = copy_below(path, depth - 1, failed);
      else if (stat.type == FileType::Regular) error = copy(path, stat.mode, failed);
      if (error) return error;
    }
    return {};
  }

 private:
  std::string place(const std::string& path) const { return path.empty() ? root_ : root_ + "/" + path; }

  IoError copy(const std::string& path, std::uint32_t mode, std::string& failed) {
    std::string bytes;
    failed = path;
    if (const IoError error = commit_.read(path, bytes, std::numeric_limits<std::uint32_t>::max())) return error;
    return real_.create(place(path), bytes, mode);
  }

  FileSystem& commit_;
  RealFs real_;
  std::string root_;
};

}  // namespace

ExportedCommit::~ExportedCommit() {
  std::error_code ignored;
  if (!root_.empty()) std::filesystem::remove_all(root_, ignored);
}

bool ExportedCommit::write(git::Repository& repository, const git::ObjectId& commit, Sink& sink) {
  const auto files = repository.files(commit, "", sink);
  if (files == nullptr) return false;
  std::error_code no_folder;
  std::string made = (std::filesystem::temp_directory_path(no_folder) / "capwright-XXXXXX").string();
  if (no_folder || ::mkdtemp(made.data()) == nullptr) {
    report_io_fault(sink, IoTask::Write, made, {no_folder ? no_folder.value() : errno});
    return false;
  }
  root_ = made;
  std::string failed;
  const IoError error = Export(*files, root_).copy_below("", kDeepestCopy, failed);
  if (error) report_io_fault(sink, IoTask::Write, failed, error);
  return !error;
}

}  // namespace capwright::workflow
