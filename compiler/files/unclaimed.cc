// Checks only names and the presence of an index, not the content of such a directory.
#include <fmt/format.h>

#include "diag/catalog/tree.h"
#include "files/output_tree.h"

namespace capwright {

std::vector<std::string> unclaimed_clusters(const OutputTree& tree, const std::set<std::string>& names) {
  std::vector<std::string> unclaimed;
  std::vector<DirEntry> entries;
  // A directory that can't be listed was already reported when clusters were written or compared.
  if (!tree.has_clusters() || tree.fs().list(tree.clusters() / ".", entries)) return unclaimed;
  for (const DirEntry& entry : entries) {
    if (entry.type != FileType::Directory || names.contains(entry.name)) continue;
    FileStat stat;
    const std::string index = entry.name + "/" + std::string(kIndexName);
    if (!tree.fs().stat(tree.clusters() / index, stat) && stat.type == FileType::Regular)
      unclaimed.push_back(entry.name);
  }
  return unclaimed;
}

void report_unclaimed(const OutputTree& tree, const std::set<std::string>& names, Sink& sink) {
  for (const std::string& name : unclaimed_clusters(tree, names)) {
    const std::string path = tree.shown_path("clusters/" + name);
    sink.report(diag::cluster_without_values, Span(), path)
        .advise(
            fmt::format("remove the folder with `git rm -r {}`; its machines run until you delete the cluster", path));
  }
}

}  // namespace capwright
