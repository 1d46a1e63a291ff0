// Reports unreadable files, because a file that seems to be missing would be a difference.
#include "diff/folders.h"

#include <algorithm>
#include <cerrno>
#include <set>

#include "files/index.h"
#include "files/io_fault.h"

namespace capwright::diff {
namespace {

constexpr int kDeepestFolder = 32;

std::string joined(const std::string& folder, std::string_view name) {
  if (folder.empty()) return std::string(name);
  std::string path = folder;
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

// The last part of a path; `.` for `.` and the like.
std::string last_part(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

// Empty if there is no readable index: then no file counts as secret.
Index index_of(FileSystem& fs, const PathAt& file, std::uint64_t most) {
  std::string bytes, why;
  if (fs.read(file, bytes, most)) return {};
  return read_index(bytes, why).value_or(Index());
}

class FolderReader {
 public:
  FolderReader(FileSystem& fs, const ClusterFolder& folder, const Limits& limits, Sink& sink)
      : fs_(fs), folder_(folder), limits_(limits), sink_(sink), side_(std::make_unique<Side>(folder.cluster, limits)) {}

  std::unique_ptr<Side> read() {
    index_ = index_of(fs_, joined(folder_.path, kIndexName), limits_.input_bytes);
    read_below("", 0);
    for (const std::string& path : folder_.outside) {
      const std::string file = joined(folder_.output, path);
      read_file("/" + path, file, file);
    }
    return std::move(side_);
  }

 private:
  void read_below(const std::string& below, int depth) {
    const std::string folder = below.empty() ? folder_.path : joined(folder_.path, below);
    std::vector<DirEntry> entries;
    if (const IoError error = fs_.list(folder, entries)) {
      if (depth == 0 && error.code == ENOENT && !folder_.outside.empty()) return;
      report_io_fault(sink_, IoTask::List, joined(folder_.shown, below), error);
      return;
    }
    for (const DirEntry& entry : entries) {
      const std::string path = joined(below, entry.name);
      if (entry.name.starts_with('.')) continue;
      if (entry.type == FileType::Directory && depth < kDeepestFolder) read_below(path, depth + 1);
      if (entry.type == FileType::Regular) read_file(path, joined(folder_.path, path), joined(folder_.shown, path));
    }
  }

  void read_file(const std::string& path, const std::string& io_path, const std::string& shown) {
    std::string text;
    if (const IoError error = fs_.read(io_path, text, limits_.input_bytes)) {
      report_io_fault(sink_, IoTask::Read, shown, error);
      return;
    }
    const IndexedFile* known = index_.find(path);
    side_->add_file(path, std::move(text), known != nullptr && known->secret);
  }

  FileSystem& fs_;
  const ClusterFolder& folder_;
  const Limits& limits_;
  Sink& sink_;
  Index index_;
  std::unique_ptr<Side> side_;
};

// `inventory/a`, for `inventory/${cluster_name}/**` and the cluster `a`: the parts before the first wildcard.
std::string fixed_part(std::string_view pattern, const std::string& cluster) {
  constexpr std::string_view kName = "${cluster_name}";
  std::string path(pattern.substr(0, pattern.find('*')));
  if (path.size() != pattern.size()) path.erase(path.rfind('/'));
  for (std::size_t at = path.find(kName); at != std::string::npos; at = path.find(kName, at + cluster.size()))
    path.replace(at, kName.size(), cluster);
  return path;
}

bool has_files_below(const OutputTree& tree, const std::string& folder, int depth) {
  std::vector<DirEntry> entries;
  if (!tree.has_clusters() || tree.fs().list(tree.clusters() / folder, entries)) return false;
  return std::any_of(entries.begin(), entries.end(), [&](const DirEntry& entry) {
    if (entry.name == kIndexName) return true;
    if (entry.name.starts_with('.')) return false;
    if (entry.type != FileType::Directory || depth >= kDeepestFolder) return true;
    return has_files_below(tree, joined(folder, entry.name), depth + 1);
  });
}

}  // namespace

std::vector<ClusterFolder> find_clusters(FileSystem& fs, const std::string& folder, Sink& sink) {
  std::vector<DirEntry> entries;
  if (const IoError error = fs.list(folder, entries)) {
    report_io_fault(sink, IoTask::List, folder, error);
    return {};
  }
  std::string all = folder;
  if (last_part(folder) != "clusters") {
    const auto has_clusters = [](const DirEntry& e) { return e.name == "clusters" && e.type == FileType::Directory; };
    if (std::none_of(entries.begin(), entries.end(), has_clusters)) return {{last_part(folder), folder, folder}};
    all = joined(folder, "clusters");
    if (const IoError error = fs.list(all, entries)) {
      report_io_fault(sink, IoTask::List, all, error);
      return {};
    }
  }
  std::vector<ClusterFolder> clusters;
  for (const DirEntry& entry : entries) {
    const bool is_cluster = entry.type == FileType::Directory && !entry.name.starts_with('.');
    if (is_cluster) clusters.push_back({entry.name, joined(all, entry.name), joined(all, entry.name)});
  }
  return clusters;
}

std::unique_ptr<Side> read_folder(FileSystem& fs, const ClusterFolder& folder, const Limits& limits, Sink& sink) {
  return FolderReader(fs, folder, limits, sink).read();
}

std::unique_ptr<Side> read_single(FileSystem& fs, const std::string& path, const std::string& called,
                                  const Limits& limits, Sink& sink) {
  auto side = std::make_unique<Side>(called, limits);
  std::string text;
  if (const IoError error = fs.read(path, text, limits.input_bytes)) {
    report_io_fault(sink, IoTask::Read, path, error);
  } else {
    side->add_file(called, std::move(text));
  }
  return side;
}

bool has_files(const OutputTree& tree, const std::string& cluster) { return has_files_below(tree, cluster, 0); }

std::vector<std::string> files_for(const Outputs& outputs, const OutputTree& tree, const std::string& cluster) {
  std::vector<std::string> found, open;
  if (tree.folder() == nullptr) return found;
  for (const OutputPattern& pattern : outputs.patterns()) open.push_back(fixed_part(pattern.text(), cluster));
  while (!open.empty()) {
    const std::string path = std::move(open.back());
    open.pop_back();
    FileStat stat;
    std::vector<DirEntry> entries;
    if (tree.fs().stat(*tree.folder() / path, stat)) continue;
    if (stat.type == FileType::Regular && outputs.allow(cluster, path)) found.push_back(path);
    const bool is_open = stat.type == FileType::Directory && std::ranges::count(path, '/') < kDeepestFolder;
    if (!is_open || tree.fs().list(*tree.folder() / path, entries)) continue;
    for (const DirEntry& entry : entries) open.push_back(joined(path, entry.name));
  }
  return found;
}

ClusterFolder folder_in(const OutputTree& tree, const std::string& output, const std::string& cluster,
                        std::vector<std::string> outside) {
  const std::string folder = "clusters/" + cluster, root = output == "." ? "" : output;
  for (std::string& path : outputs_of(tree, cluster)) outside.push_back(std::move(path));
  std::ranges::sort(outside);
  outside.erase(std::ranges::unique(outside).begin(), outside.end());
  return {cluster, joined(root, folder), tree.shown_path(folder), root, std::move(outside)};
}

std::unique_ptr<Side> read_all_files(const OutputTree& tree, const ClusterFolder& place, const Limits& limits,
                                     Sink& sink) {
  auto side = read_folder(tree.fs(), place, limits, sink);
  side->show_in(tree.shown_path("clusters/" + place.cluster + "/"), tree.shown_path(""));
  return side;
}

std::unique_ptr<Side> read_tree(const OutputTree& tree, const FileSet& rendered, const Limits& limits, Sink& sink) {
  Dir directory;
  if (!tree.has_clusters()) return nullptr;
  if (const IoError error = directory.open(tree.fs(), tree.clusters() / rendered.cluster())) {
    if (error.code != ENOENT) report_io_fault(sink, IoTask::List, tree.shown_path(rendered.directory()), error);
    return nullptr;
  }
  const Index index = index_of(tree.fs(), directory / kIndexName, limits.input_bytes);
  std::set<std::string> paths;
  for (const IndexedFile& file : index.files) {
    const bool is_ours = !is_outside(file.path) || tree.outputs().allow(rendered.cluster(), file.path.substr(1));
    if (is_ours) paths.insert(file.path);
  }
  for (const RenderedFile& file : rendered.files()) paths.insert(rendered.path_in_cluster(file));
  auto side = std::make_unique<Side>(rendered.cluster(), limits);
  side->show_in(tree.shown_path(rendered.directory()), tree.shown_path(""));
  for (const std::string& path : paths) {
    std::string text;
    const PathAt place = is_outside(path) ? *tree.folder() / std::string_view(path).substr(1) : directory / path;
    const IoError error = tree.fs().read(place, text, limits.input_bytes);
    const IndexedFile* known = index.find(path);
    if (!error) side->add_file(path, std::move(text), known != nullptr && known->secret);
    else if (error.code != ENOENT && error.code != ENOTDIR)
      report_io_fault(sink, IoTask::Read, tree.shown_path(path_in_output(rendered.cluster(), path)), error);
  }
  return side->files().empty() ? nullptr : std::move(side);
}

}  // namespace capwright::diff
