// Compares the tree with the rendered files, for `render --check`.
#include <algorithm>
#include <utility>

#include "files/compare_directory.h"
#include "files/output_tree.h"
#include "files/text_diff.h"

namespace capwright {
namespace {

constexpr std::uint64_t kLargestOnDisk = 1u << 20;  // bytes of a file on disk

bool is_text(std::string_view bytes) { return bytes.find('\0') == std::string_view::npos; }

std::string diff_with_disk(FileSystem& fs, const DirectoryComparison& comparison, const ComparedFile& file,
                           const std::string& path, const CheckOptions& options) {
  std::string on_disk;
  // A file that isn't in the index may contain a secret, too.
  const bool known = !file.secret && file.state != DiskState::Foreign;
  const bool shown = known && !fs.read(comparison.file_at(file.path), on_disk, kLargestOnDisk) && is_text(on_disk);
  if (!shown) return {};
  const std::string_view rendered = file.rendered != nullptr ? std::string_view(file.rendered->body.text()) : "";
  if (options.is_hidden && (options.is_hidden(on_disk) || options.is_hidden(rendered))) return {};
  return unified_diff({path, on_disk}, {path + " (rendered)", rendered}, options.diff);
}

}  // namespace

std::vector<TreeDifference> check_cluster(OutputTree& tree, const FileSet& files, const RenderStamp& stamp,
                                          const CheckOptions& options, Sink& sink) {
  const DirectoryComparison comparison = compare_cluster(tree, files, stamp, sink);
  std::vector<TreeDifference> differences;
  if (comparison.failed) return differences;
  using enum TreeDifference::Kind;
  // Other inputs can render the same files: a comment in the values, or a secret that isn't rendered, changes nothing.
  if (!comparison.index_tells_files) {
    differences.push_back(
        {comparison.index_exists ? Changed : Missing, files.directory() + std::string(kIndexName), false, ""});
  }
  for (const ComparedFile& file : comparison.files) {
    const bool extra = file.rendered == nullptr;
    if (file.state == (extra ? DiskState::Missing : DiskState::Same)) continue;
    TreeDifference& difference = differences.emplace_back();
    if (extra) difference.kind = Extra;
    else if (file.state == DiskState::Missing) difference.kind = Missing;
    else difference.kind = Changed;
    difference.path = path_in_output(files.cluster(), file.path);
    difference.by_hand = file.state == DiskState::Edited || file.state == DiskState::Foreign;
    if (difference.kind == Changed) {
      difference.diff = diff_with_disk(tree.fs(), comparison, file, tree.shown_path(difference.path), options);
    }
  }
  std::sort(differences.begin(), differences.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return differences;
}

}  // namespace capwright
