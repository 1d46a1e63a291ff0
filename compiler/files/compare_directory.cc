// Reads each file once and compares bytes; digests are needed only if the bytes differ.
#include "files/compare_directory.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "files/history.h"
#include "files/io_fault.h"

namespace capwright {
namespace {

constexpr std::uint64_t kLargestIndex = 16u << 20;     // bytes
constexpr std::uint64_t kLargestCompared = 16u << 20;  // bytes; the maximum of a render (Limits::output_bytes)
constexpr std::uint64_t kLargestOfProgram = 1u << 20;  // bytes; of a file that no template makes

bool is_refused(const ComparedFile& file) {
  return file.state == DiskState::Edited || file.state == DiskState::Foreign;
}

// Whether an earlier render left the file, although no index lists it: `git checkout` undoes the index, but not new
// files. Both then begin with the same comment.
bool has_left(const RenderedFile& now, std::string_view found) {
  const std::string_view text = now.body.text();
  const std::string_view comment = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  return is_of_program(now) && comment.starts_with('#') && found.starts_with(comment);
}

bool lists(const Index& index, std::string_view path, std::string_view bytes, const Sha256& digest) {
  const IndexedFile* file = index.find(path);
  return file != nullptr && file->size == bytes.size() && file->digest == digest;
}

class Comparer {
 public:
  Comparer(OutputTree& tree, const FileSet& files, DirectoryComparison& result, Sink& sink)
      : tree_(tree), files_(files), result_(result), sink_(sink) {}

  void compare(const RenderStamp& stamp) {
    const Index wanted = make_index(files_, stamp);
    result_.wanted_index = index_text(wanted);
    result_.output = tree_.folder();
    if (!open_directory() || !read_known(wanted)) return;
    // Merges the two sorted lists.
    auto known = result_.known.files.cbegin();
    const auto known_end = result_.known.files.cend();
    for (const auto& [path, file] : rendered_paths()) {
      for (; known != known_end && known->path < path; ++known) compare_file(known->path, nullptr, &*known);
      const bool listed = known != known_end && known->path == path;
      compare_file(path, file, listed ? &*known : nullptr);
      if (listed) ++known;
    }
    for (; known != known_end; ++known) compare_file(known->path, nullptr, &*known);
    const RenderHistory* history = tree_.history();
    const bool is_unclear =
        !result_.index_fault.empty() || std::any_of(result_.files.begin(), result_.files.end(), is_refused);
    const bool may_be_merged = history != nullptr && result_.directory.is_open() && history->is_merging();
    if (history != nullptr && (is_unclear || may_be_merged)) ask(*history);
  }

 private:
  // Sorted as in an index, where files outside of the directory come first.
  std::vector<std::pair<std::string, const RenderedFile*>> rendered_paths() const {
    std::vector<std::pair<std::string, const RenderedFile*>> paths;
    for (const RenderedFile& file : files_.files()) paths.emplace_back(files_.path_in_cluster(file), &file);
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  bool may_touch(std::string_view path) const {
    return !is_outside(path) || tree_.outputs().allow(files_.cluster(), path.substr(1));
  }

  // After a merge the index belongs to one side or none, while files belong to the other: the commits have both.
  void ask(const RenderHistory& history) {
    result_.others = history.renders(files_.cluster());
    if (result_.others.empty()) return;
    result_.index_fault.clear();
    for (ComparedFile& file : result_.files) {
      file.secret = file.secret || is_secret(file.path);
      if (!is_refused(file)) continue;
      if (is_render(file.path, &history)) file.state = DiskState::Rendered;
      else if (is_listed(file.path)) file.state = DiskState::Edited;
    }
    const std::size_t compared = result_.files.size();
    for (const Index& index : result_.others) {
      for (const IndexedFile& file : index.files) add_left_over(file, compared);
    }
    const auto by_path = [](const ComparedFile& a, const ComparedFile& b) { return a.path < b.path; };
    std::sort(result_.files.begin(), result_.files.end(), by_path);
  }

  // A file of another render that isn't rendered any more. With other bytes it belongs to the user.
  void add_left_over(const IndexedFile& file, std::size_t compared) {
    const auto is_same = [&](const ComparedFile& each) { return each.path == file.path; };
    const auto first = result_.files.begin(), listed = first + static_cast<std::ptrdiff_t>(compared);
    const auto sorted =
        std::lower_bound(first, listed, file.path, [](const auto& each, const auto& path) { return each.path < path; });
    const bool is_known = (sorted != listed && is_same(*sorted)) || std::any_of(listed, result_.files.end(), is_same);
    if (!is_known && may_touch(file.path) && is_render(file.path, nullptr))
      result_.files.push_back({file.path, nullptr, DiskState::Rendered, is_secret(file.path)});
  }

  bool is_render(std::string_view path, const RenderHistory* merging) {
    if (!result_.has_folder_of(path) || tree_.fs().read(result_.file_at(path), bytes_, kLargestCompared)) return false;
    const Sha256 digest = sha256(bytes_);
    const bool is_recorded = std::any_of(result_.others.begin(), result_.others.end(),
                                         [&](const Index& index) { return lists(index, path, bytes_, digest); });
    return is_recorded || (merging != nullptr && merging->is_merged(files_.cluster(), std::string(path), bytes_));
  }

  bool is_listed(std::string_view path) const {
    return std::any_of(result_.others.begin(), result_.others.end(),
                       [&](const Index& index) { return index.find(path) != nullptr; });
  }

  bool is_secret(std::string_view path) const {
    return std::any_of(result_.others.begin(), result_.others.end(), [&](const Index& index) {
      const IndexedFile* file = index.find(path);
      return file != nullptr && file->secret;
    });
  }

  bool fail(IoTask task, std::string_view path, IoError error) {
    const std::string shown = path.empty() ? "clusters/" + files_.cluster() : path_in_output(files_.cluster(), path);
    report_io_fault(sink_, task, tree_.shown_path(shown), error);
    result_.failed = true;
    return false;
  }

  // A missing directory isn't an error: every file is missing.
  bool open_directory() {
    if (!tree_.has_clusters()) return true;
    const IoError error = result_.directory.open(tree_.fs(), tree_.clusters() / files_.cluster());
    return !error || error.code == ENOENT || fail(IoTask::List, "", error);
  }

  bool read_known(const Index& wanted) {
    if (!result_.directory.is_open()) return true;
    const IoError error = tree_.fs().read(result_.directory / kIndexName, bytes_, kLargestIndex);
    if (error.code == ENOENT) return true;
    if (error && error.code != EFBIG) return fail(IoTask::Read, kIndexName, error);
    result_.index_exists = true;
    if (error) {
      result_.index_fault = "it is too large";
    } else if (bytes_ == result_.wanted_index) {
      result_.known = wanted;
      result_.index_current = result_.index_tells_files = true;
    } else if (auto index = read_index(bytes_, result_.index_fault)) {
      result_.known = *std::move(index);
      result_.index_tells_files = result_.known.files == wanted.files && result_.known.rotation == wanted.rotation &&
                                  result_.known.stamp.same_templates(wanted.stamp);
      result_.index_current = result_.index_tells_files && result_.known.stamp.same_inputs(wanted.stamp);
    }
    return true;
  }

  void compare_file(std::string_view path, const RenderedFile* rendered, const IndexedFile* known) {
    const bool secret = (rendered != nullptr && rendered->secret) || (known != nullptr && known->secret);
    ComparedFile& file =
        result_.files.emplace_back(ComparedFile{std::string(path), rendered, DiskState::Missing, secret});
    if (!result_.has_folder_of(path)) return;
    if (!may_touch(path)) {
      FileStat stat;
      if (!tree_.fs().stat(result_.file_at(path), stat)) file.state = DiskState::Barred;
      return;
    }
    std::uint64_t most = rendered != nullptr ? rendered->body.size() : 0;
    if (known != nullptr) most = std::max(most, known->size);
    if (rendered != nullptr && is_of_program(*rendered)) most = std::max(most, kLargestOfProgram);
    const IoError error = tree_.fs().read(result_.file_at(path), bytes_, most);
    switch (error.code) {
      case ENOENT:
      case ENOTDIR:
      case EISDIR:
      case ENXIO:
      case ELOOP: return;
      case 0:
        if (rendered != nullptr && bytes_ == rendered->body.text()) {
          file.state = DiskState::Same;
          return;
        }
        break;
      case EFBIG: break;
      default: fail(IoTask::Read, path, error); return;
    }
    const bool as_known = !error && known != nullptr && bytes_.size() == known->size && sha256(bytes_) == known->digest;
    const bool is_left = !error && known == nullptr && rendered != nullptr && has_left(*rendered, bytes_);
    if (as_known || is_left) file.state = DiskState::Rendered;
    else if (known != nullptr) file.state = DiskState::Edited;
    else file.state = DiskState::Foreign;
  }

  OutputTree& tree_;
  const FileSet& files_;
  DirectoryComparison& result_;
  Sink& sink_;
  std::string bytes_;  // of the current file
};

}  // namespace

bool DirectoryComparison::up_to_date() const {
  const auto settled = [](const ComparedFile& file) {
    return file.state == (file.rendered != nullptr ? DiskState::Same : DiskState::Missing);
  };
  return index_current && std::all_of(files.begin(), files.end(), settled);
}

bool is_of_program(const RenderedFile& file) { return !file.own && !file.marker.known(); }

DirectoryComparison compare_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp, Sink& sink) {
  DirectoryComparison result;
  Comparer(tree, files, result, sink).compare(stamp);
  return result;
}

bool is_up_to_date(const OutputTree& tree, const std::string& cluster, const RenderStamp& inputs) {
  FileSystem& fs = tree.fs();
  Dir directory;
  if (!tree.has_clusters() || directory.open(fs, tree.clusters() / cluster)) return false;
  std::string bytes, why;
  if (fs.read(directory / kIndexName, bytes, kLargestIndex)) return false;
  const std::optional<Index> index = read_index(bytes, why);
  if (!index || !comes_from(*index, inputs)) return false;
  if (tree.history() != nullptr && !tree.history()->has_index(cluster, bytes)) return false;
  return std::all_of(index->files.begin(), index->files.end(), [&](const IndexedFile& file) {
    const bool outside = is_outside(file.path);
    const Dir& folder = outside ? *tree.folder() : directory;
    const bool read = !fs.read(folder / std::string_view(file.path).substr(outside ? 1 : 0), bytes, file.size);
    return read && bytes.size() == file.size && sha256(bytes) == file.digest;
  });
}

}  // namespace capwright
