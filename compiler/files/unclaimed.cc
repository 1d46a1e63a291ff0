// Folders in `clusters/` that no values file makes. For those of earlier renders, only names and the presence of an
// index count, not their content.
#include <fmt/format.h>

#include "diag/catalog/manifest.h"
#include "diag/catalog/tree.h"
#include "files/output_tree.h"
#include "files/path_rules.h"
#include "text/kubectl.h"

namespace capwright {
namespace {

constexpr std::uint64_t kLargestIndexFile = 16u << 20;  // bytes

// How to delete a cluster, or keep it. `what`: "the folder"; `words`: for a shell. Not with `git rm`, which leaves
// files that Git ignores, such as those of a repository for Argo CD's plugin. The order depends on what the tool does
// with a folder that is gone (docs/repository.md).
std::string steps_of(Delivery delivery, std::string_view what, std::string_view words) {
  if (delivery == Delivery::ArgoCd)
    return fmt::format("remove {} with `rm -r {}`, and commit that; its machines run until you delete the cluster",
                       what, words);
  if (delivery == Delivery::Kubectl)
    return fmt::format(
        "remove {} with `rm -r {}`, and commit that; `kubectl apply` deletes nothing, so its machines run until you "
        "delete the Cluster with `kubectl delete cluster`",
        what, words);
  return fmt::format(
      "to keep the cluster, restore its values file with `git checkout`; to delete it, run `flux suspend kustomization "
      "NAME`, delete the Cluster with `kubectl delete cluster`, wait until it is gone, remove {} with `rm -r {}`, "
      "commit and push that, and run `flux resume kustomization NAME`",
      what, words);
}

bool has_index(const OutputTree& tree, const std::string& folder) {
  FileStat stat;
  return !tree.fs().stat(tree.clusters() / (folder + "/" + std::string(kIndexName)), stat) &&
         stat.type == FileType::Regular;
}

bool has_line(std::string_view text, std::string_view line) {
  return text.starts_with(std::string(line) + "\n") || text.find(fmt::format("\n{}\n", line)) != std::string_view::npos;
}

// Whether a file directly in the folder has an ApplicationSet, and none has a Cluster.
bool has_application_set(const OutputTree& tree, const std::string& folder) {
  std::vector<DirEntry> entries;
  if (tree.fs().list(tree.clusters() / folder, entries)) return false;
  bool is_found = false;
  for (const DirEntry& entry : entries) {
    std::string text;
    if (entry.type != FileType::Regular || !has_data_name(entry.name)) continue;
    if (tree.fs().read(tree.clusters() / (folder + "/" + entry.name), text, kLargestIndexFile)) continue;
    if (has_line(text, "kind: Cluster")) return false;
    is_found |= has_line(text, "kind: ApplicationSet");
  }
  return is_found;
}

// The ApplicationSet makes Applications of every folder, also of its own.
void report_misplaced_sets(const OutputTree& tree, const std::set<std::string>& names, Sink& sink, Severity severity) {
  std::vector<DirEntry> entries;
  if (!tree.has_clusters() || tree.fs().list(tree.clusters() / ".", entries)) return;
  for (const DirEntry& entry : entries) {
    const bool is_other = entry.type == FileType::Directory && !names.contains(entry.name);
    if (!is_other || has_index(tree, entry.name) || !has_application_set(tree, entry.name)) continue;
    const std::string path = tree.shown_path("clusters/" + entry.name);
    Diagnostic& finding = sink.report(diag::cluster_without_values, Span(), path);
    finding.severity = severity;
    finding.note(
        "it has an ApplicationSet, but every folder in `clusters/` counts as a cluster: Argo CD applies it as one");
    finding.advise(fmt::format("move it out of `clusters/`, such as with `git mv {} {}`", path, entry.name));
  }
}

// A link of a cluster's name: its target isn't read, because it may lead out of the repository.
void report_links(const OutputTree& tree, const std::set<std::string>& names, Sink& sink, Severity severity) {
  std::vector<DirEntry> entries;
  if (!tree.has_clusters() || tree.fs().list(tree.clusters() / ".", entries)) return;
  for (const DirEntry& entry : entries) {
    const bool may_be_folder = entry.type == FileType::Symlink && entry.name.find('.') == std::string::npos;
    if (!may_be_folder || names.contains(entry.name)) continue;
    const std::string path = tree.shown_path("clusters/" + entry.name);
    Diagnostic& finding =
        sink.report(diag::loose_removal, Span(), path, "is a link that capwright doesn't follow", "no render wrote it");
    finding.severity = severity;
    finding.note(
        "Argo CD and Flux don't follow it either, and Argo CD rejects a repository with a link that leaves it");
    finding.advise(fmt::format("delete it with `rm {}`, and commit that", shell_word(path)));
  }
}

}  // namespace

std::vector<std::string> unclaimed_clusters(const OutputTree& tree, const std::set<std::string>& names) {
  std::vector<std::string> unclaimed;
  std::vector<DirEntry> entries;
  // A directory that can't be listed was already reported when clusters were written or compared.
  if (!tree.has_clusters() || tree.fs().list(tree.clusters() / ".", entries)) return unclaimed;
  for (const DirEntry& entry : entries) {
    if (entry.type != FileType::Directory || names.contains(entry.name)) continue;
    if (has_index(tree, entry.name)) unclaimed.push_back(entry.name);
  }
  return unclaimed;
}

std::vector<std::string> outputs_of(const OutputTree& tree, const std::string& cluster) {
  std::vector<std::string> paths;
  std::string bytes, why;
  const std::string path = cluster + "/" + std::string(kIndexName);
  if (!tree.has_clusters() || tree.fs().read(tree.clusters() / path, bytes, kLargestIndexFile)) return paths;
  const std::optional<Index> index = read_index(bytes, why);
  if (!index) return paths;
  for (const IndexedFile& file : index->files) {
    const std::string_view output = std::string_view(file.path).substr(1);
    FileStat stat;
    const bool is_ours = is_outside(file.path) && tree.outputs().allow(cluster, output);
    if (is_ours && !tree.fs().stat(*tree.folder() / output, stat)) paths.emplace_back(output);
  }
  return paths;
}

void report_unclaimed(const OutputTree& tree, const std::set<std::string>& names, Sink& sink, Severity severity) {
  for (const std::string& name : unclaimed_clusters(tree, names)) {
    const std::string path = tree.shown_path("clusters/" + name);
    std::string words = path;
    for (const std::string& output : outputs_of(tree, name)) words += " " + shell_word(tree.shown_path(output));
    const bool is_alone = words == path;
    Diagnostic& finding = sink.report(diag::cluster_without_values, Span(), path);
    finding.severity = severity;
    // Of a copy of Git's index, or of a pull request.
    if (severity == Severity::Error)
      finding.note(
          fmt::format("if it was just rendered, its values file isn't in the commit yet: add it, such as with `git add "
                      "values/{}.yaml`",
                      name));
    const Delivery delivery = tree.outputs().delivery();
    if (delivery == Delivery::Flux)
      finding.note(
          "Flux deletes all objects of a removed folder at once, also the credentials that Cluster API needs to "
          "delete machines");
    finding.advise(steps_of(delivery, is_alone ? "the folder" : "its files", words));
  }
  if (tree.outputs().delivery() == Delivery::ArgoCd) report_misplaced_sets(tree, names, sink, severity);
  report_links(tree, names, sink, severity);
}

}  // namespace capwright
