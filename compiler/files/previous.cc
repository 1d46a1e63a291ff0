// Reads an index and some of its files.
#include "files/previous.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <set>
#include <utility>

#include "files/path_rules.h"

namespace capwright {
namespace {

constexpr std::uint64_t kLargestFile = 16u << 20;  // bytes; the maximum of a render (Limits::output_bytes)

class PreviousReader {
 public:
  PreviousReader(const OutputTree& tree, const std::string& cluster, Sink& sink)
      : tree_(tree), cluster_(cluster), sink_(sink) {}

  PreviousCluster read() {
    PreviousCluster previous;
    std::string bytes, why;
    if (!tree_.has_clusters() || !is_fine(directory_.open(tree_.fs(), tree_.clusters() / cluster_), ""))
      return previous;
    if (!is_fine(tree_.fs().read(directory_ / kIndexName, bytes, kLargestFile), kIndexName)) return previous;
    previous.index = read_index(bytes, why);
    if (!previous.index) {
      if (has_conflict_markers(bytes)) previous.conflicted.emplace_back(kIndexName);
      return previous;
    }
    std::set<std::string_view> paths;
    for (const RotatedObject& object : previous.index->rotation.objects) paths.insert(object.file);
    for (const IndexedFile& file : previous.index->files) {
      const bool is_data = has_data_name(file.path);
      const bool is_in_own_folder = file.path.find('/') == std::string::npos;
      if (!is_outside(file.path) && (file.secret || (is_data && is_in_own_folder))) paths.insert(file.path);
    }
    for (const std::string_view path : paths) {
      const PreviousFile& file = previous.files.emplace_back(read_file(*previous.index, std::string(path)));
      const bool is_edited = file.state == PreviousFile::State::Edited;
      if (is_edited && has_conflict_markers(file.text)) previous.conflicted.push_back(file.path);
    }
    return previous;
  }

 private:
  // False also if the file doesn't exist, which isn't an error. An existing file that can't be read is one: otherwise
  // earlier generations would be dropped, and machines that use them would be stuck.
  bool is_fine(IoError error, std::string_view path) {
    if (!error) return true;
    if (error.code == ENOENT || error.code == ENOTDIR) return false;
    const std::string below = path.empty() ? "" : "/" + std::string(path);
    report_io_fault(sink_, path.empty() ? IoTask::List : IoTask::Read, tree_.shown_path("clusters/" + cluster_ + below),
                    error);
    return false;
  }

  PreviousFile read_file(const Index& index, const std::string& path) {
    PreviousFile file{path, PreviousFile::State::Missing, {}};
    if (!is_fine(tree_.fs().read(directory_ / path, file.text, kLargestFile), path)) return file;
    const IndexedFile* known = index.find(path);
    const bool intact = known != nullptr && known->size == file.text.size() && known->digest == sha256(file.text);
    file.state = intact ? PreviousFile::State::Intact : PreviousFile::State::Edited;
    return file;
  }

  const OutputTree& tree_;
  const std::string& cluster_;
  Sink& sink_;
  Dir directory_;
};

}  // namespace

bool has_conflict_markers(std::string_view text) {
  constexpr std::string_view kMarkers[] = {"<<<<<<< ", "=======\n", ">>>>>>> "};
  std::size_t found = 0;
  for (std::size_t at = 0; at < text.size() && found < std::size(kMarkers);) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (text.substr(at, end - at).starts_with(kMarkers[found])) ++found;
    at = end;
  }
  return found == std::size(kMarkers);
}

const PreviousFile* PreviousCluster::find(std::string_view path) const {
  const auto found =
      std::lower_bound(files.begin(), files.end(), path,
                       [](const PreviousFile& file, std::string_view wanted) { return file.path < wanted; });
  return found == files.end() || found->path != path ? nullptr : &*found;
}

PreviousCluster read_previous(const OutputTree& tree, const std::string& cluster, Sink& sink) {
  return PreviousReader(tree, cluster, sink).read();
}

}  // namespace capwright
