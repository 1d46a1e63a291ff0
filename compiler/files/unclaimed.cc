// Nothing but names and the presence of an index is looked at: what is in such a folder is nobody's concern any more.
#include "files/unclaimed.h"

#include <fmt/format.h>
#include <vector>

#include "diag/catalog.h"

namespace capwright {

void report_unclaimed(const OutputTree& tree, const std::set<std::string>& names, Sink& sink) {
  if (!tree.has_clusters()) return;
  std::vector<DirEntry> entries;
  if (tree.fs().list(tree.clusters() / ".", entries)) return;  // whoever wrote or compared clusters has told of it
  for (const DirEntry& entry : entries) {
    if (entry.type != FileType::Directory || names.contains(entry.name)) continue;
    FileStat stat;
    const std::string index = entry.name + "/" + std::string(kIndexName);
    if (tree.fs().stat(tree.clusters() / index, stat) || stat.type != FileType::Regular) continue;
    const std::string path = tree.shown_path("clusters/" + entry.name);
    sink.report(diag::cluster_without_values, Span(), path)
        .advise(fmt::format("if the cluster is gone, remove its folder with `git rm -r {}`", path));
  }
}

}  // namespace capwright
