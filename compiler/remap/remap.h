// Foreign findings become diagnostics at the value or template that made what they are about.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/blame.h"
#include "remap/foreign_finding.h"
#include "remap/place.h"

namespace capwright::remap {

// The names of clusters that a path may be in: `a` of `deploy/clusters/a/cluster.yaml`. A folder above the repository
// may be called `clusters`, too. None for paths with `..` in them.
struct TreePath {
  std::string cluster;
  std::string path;  // from `clusters/` on
};
std::vector<TreePath> tree_paths_of(std::string_view path);

// A rendered file as it is on disk: its bytes, or nothing when it isn't there.
using ReadTree = std::function<std::optional<std::string>(const std::string& path)>;

class Remapper {
 public:
  // Clusters as they are rendered now; all outlive it.
  Remapper(std::span<const std::unique_ptr<lint::Cluster>> clusters, ReadTree read, lint::Blame blame,
           const lint::Context& context);

  // Adds a diagnostic to the sink of a rendered cluster when the file on disk is what is rendered now; else to one of
  // elsewhere(), at the line that the tool meant.
  void add(const ForeignFinding& finding);
  // To be called when all are added: covers secrets in their words.
  void cover();

  // Files on disk that are not what is rendered now, in order.
  std::vector<std::string_view> stale() const;
  // What is said of them, one group a file.
  std::vector<const lint::Cluster*> on_disk() const;
  // Findings of no file of the tree: placed by path and line alone, without an excerpt.
  const std::vector<Diagnostic>& elsewhere() const { return elsewhere_.diagnostics(); }
  const SourceSet& elsewhere_sources() const { return elsewhere_sources_; }

 private:
  struct OnDisk {
    std::unique_ptr<lint::Cluster> file;  // null: not there, or the same
    const lint::Cluster* rendered = nullptr;
  };
  const DiagInfo& info_of(const ForeignFinding& finding);
  const OnDisk& on_disk(const TreePath& path, const lint::Cluster* cluster, const lint::File* file);
  void present(const ForeignFinding& finding, const lint::Place& place, std::vector<std::string> notes);
  void add_of_input(const ForeignFinding& finding);
  void add_elsewhere(const ForeignFinding& finding);

  struct Info {
    std::string code, name, explanation;
    DiagInfo info;
  };
  std::map<std::string_view, lint::Cluster*> clusters_;
  ReadTree read_;
  lint::Blame blame_;
  const lint::Context& context_;
  std::map<std::string, Info> infos_;  // by code
  std::map<std::string, OnDisk> on_disk_;
  SourceSet elsewhere_sources_;
  Sink elsewhere_;
};

}  // namespace capwright::remap
