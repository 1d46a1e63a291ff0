// A walk through a cluster's directory.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "diag/catalog/tree.h"
#include "files/compare_directory.h"
#include "files/io_fault.h"

namespace capwright {
namespace {

std::string_view name_of(FileType type) {
  switch (type) {
    case FileType::Regular: return "a file";
    case FileType::Directory: return "a folder";
    case FileType::Symlink: return "a symbolic link";
    case FileType::Other: return "neither file nor folder";
  }
  return "";
}

class Surveyor {
 public:
  Surveyor(FileSystem& fs, const DirectoryComparison& comparison, const std::string& shown, Sink& sink)
      : fs_(fs), comparison_(comparison), shown_(shown), sink_(sink) {}

  Survey survey() {
    walk("");
    return std::move(found_);
  }

 private:
  // True if there is a foreign file below.
  bool walk(const std::string& folder) {
    std::vector<DirEntry> entries;
    const IoError error = fs_.list(comparison_.directory / (folder.empty() ? "." : folder), entries);
    if (error) {
      report_io_fault(sink_, IoTask::List, shown_ + folder, error);
      found_.failed = true;
      return true;
    }
    bool foreign = entries.empty();
    if (entries.empty() && !folder.empty()) add(folder, FileType::Directory, found_.empty_folders);
    for (const DirEntry& entry : entries) {
      const std::string path = folder.empty() ? entry.name : folder + "/" + entry.name;
      if (path == kIndexName) continue;
      const bool kept = entry.type == FileType::Directory ? walk(path) : visit(path, entry.type);
      foreign = foreign || kept;
    }
    const ComparedFile* ours = compared(folder);
    if (foreign && ours != nullptr && ours->rendered != nullptr) in_the_way(folder, FileType::Directory, false);
    return foreign;
  }

  bool visit(const std::string& path, FileType type) {
    const ComparedFile* ours = compared(path);
    if (ours != nullptr && type == FileType::Regular) return false;
    if (ours != nullptr && ours->rendered != nullptr) in_the_way(path, type, false);
    add(path, type, found_.files);
    return true;
  }

  void add(const std::string& path, FileType type, std::vector<std::string>& list) {
    if (type != FileType::Directory && folder_is_needed(path)) in_the_way(path, type, true);
    list.push_back(path);
  }

  void in_the_way(const std::string& path, FileType type, bool needs_folder) {
    sink_.report(diag::path_taken, {}, shown_ + path, name_of(type), needs_folder ? "a folder" : "a file");
    found_.failed = true;
  }

  std::vector<ComparedFile>::const_iterator first_from(std::string_view path) const {
    return std::lower_bound(comparison_.files.begin(), comparison_.files.end(), path,
                            [](const ComparedFile& file, std::string_view wanted) { return file.path < wanted; });
  }
  const ComparedFile* compared(std::string_view path) const {
    const auto found = first_from(path);
    return found != comparison_.files.end() && found->path == path ? &*found : nullptr;
  }
  bool folder_is_needed(const std::string& path) const {
    const std::string prefix = path + "/";
    auto file = first_from(prefix);
    while (file != comparison_.files.end() && file->path.starts_with(prefix)) {
      if ((file++)->rendered != nullptr) return true;
    }
    return false;
  }

  FileSystem& fs_;
  const DirectoryComparison& comparison_;
  const std::string& shown_;
  Sink& sink_;
  Survey found_;
};

// The type of what is at a path; empty: a folder, or nothing.
std::optional<FileType> obstacle_at(const OutputTree& tree, std::string_view path) {
  FileStat stat;
  const bool exists = !tree.fs().stat(*tree.folder() / path, stat);
  return exists && stat.type != FileType::Directory ? std::optional(stat.type) : std::nullopt;
}

// Whether the render removes the file that is at this path.
bool is_removed(const DirectoryComparison& comparison, const std::string& path) {
  return std::any_of(comparison.files.begin(), comparison.files.end(), [&](const ComparedFile& file) {
    const bool is_ours = file.rendered == nullptr && file.state != DiskState::Barred;
    return is_ours && file.state != DiskState::Missing && file.path == path;
  });
}

// `path` as in a ComparedFile, outside of the directory.
void report_obstacle(const OutputTree& tree, const DirectoryComparison& comparison, const std::string& path,
                     Sink& sink) {
  for (std::size_t end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string above = path.substr(0, end);
    const auto type = obstacle_at(tree, std::string_view(above).substr(1));
    if (!type || is_removed(comparison, above)) continue;
    sink.report(diag::path_taken, {}, tree.shown_path(above.substr(1)), name_of(*type), "a folder");
    return;
  }
  FileStat stat;
  const bool is_taken = !tree.fs().stat(comparison.file_at(path), stat) && stat.type != FileType::Regular;
  if (is_taken) sink.report(diag::path_taken, {}, tree.shown_path(path.substr(1)), name_of(stat.type), "a file");
}

}  // namespace

void report_obstacles(const OutputTree& tree, const DirectoryComparison& comparison, Sink& sink) {
  if (comparison.output == nullptr) return;
  for (const ComparedFile& file : comparison.files) {
    const bool is_new = file.rendered != nullptr && file.state == DiskState::Missing;
    if (is_new && is_outside(file.path)) report_obstacle(tree, comparison, file.path, sink);
  }
}

Survey survey_cluster(FileSystem& fs, const DirectoryComparison& comparison, const std::string& shown, Sink& sink) {
  return Surveyor(fs, comparison, shown, sink).survey();
}

}  // namespace capwright
