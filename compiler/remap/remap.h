// Converts foreign findings to diagnostics at the value or template that caused them.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/outputs.h"
#include "lint/engine/lint_finding.h"
#include "lint/engine/selection.h"
#include "remap/foreign_finding.h"
#include "secrets/redactor.h"

namespace capwright::remap {

// The clusters that a path may belong to: `a` for `deploy/clusters/a/cluster.yaml`, or by `outputs`. A directory above
// the repository may also be called `clusters`. Empty for paths with `..`.
struct TreePath {
  std::string cluster;
  std::string path;  // from the output folder
};
std::vector<TreePath> tree_paths_of(std::string_view path, const Outputs& outputs);

// A rendered file on disk: its bytes, or empty if it doesn't exist.
using ReadTree = std::function<std::optional<std::string>(const std::string& path)>;

struct FileOnDisk {
  const lint::Cluster* file;
  secrets::Redactor secrets;  // its own, and those of its cluster
};

class Remapper {
 public:
  // The clusters as currently rendered; all outlive this object.
  Remapper(std::span<const std::unique_ptr<lint::Cluster>> clusters, const Outputs& outputs, ReadTree read,
           lint::Blame blame, const lint::Context& context);

  // Adds a diagnostic to the sink of a rendered cluster if the file on disk is up to date; otherwise to one of
  // elsewhere(), at the line that the tool reported.
  void add(const ForeignFinding& finding);

  // Files on disk that differ from the current render, in order.
  std::vector<std::string_view> stale() const;
  // The findings in them, one group per file.
  std::vector<FileOnDisk> on_disk() const;
  // Findings outside of the tree's files: placed by path and line only, without an excerpt.
  const std::vector<Diagnostic>& elsewhere() const { return elsewhere_.diagnostics(); }
  const SourceSet& elsewhere_sources() const { return elsewhere_sources_; }
  secrets::Redactor redactor_elsewhere() const;

 private:
  struct OnDisk {
    std::unique_ptr<lint::Cluster> file;  // null: missing on disk, or up to date
    const lint::Cluster* rendered = nullptr;
  };
  const DiagInfo& info_of(const ForeignFinding& finding);
  const OnDisk& on_disk(const TreePath& path, const lint::Cluster* cluster, const lint::File* file);
  void present(const ForeignFinding& finding, const lint::Place& place, lint::Cluster& cluster,
               std::vector<std::string> notes);
  void add_of_input(const ForeignFinding& finding);
  void add_elsewhere(const ForeignFinding& finding);

  struct Info {
    std::string code, name, explanation;
    DiagInfo info;
  };
  std::map<std::string_view, lint::Cluster*> clusters_;
  const Outputs& outputs_;
  ReadTree read_;
  lint::Blame blame_;
  const lint::Context& context_;
  std::map<std::string, Info> infos_;  // by code
  std::map<std::string, OnDisk> on_disk_;
  SourceSet elsewhere_sources_;
  Sink elsewhere_;
};

// Locates a foreign finding in a cluster's files.

// By its object and field, otherwise by its region, otherwise the start of `file`. Null `file`: searches all files by
// the object alone; the place may be unknown (Place::cluster is null then), also if two objects match.
lint::Place place_of(const ForeignFinding& finding, const lint::Cluster& cluster, const lint::File* file);

}  // namespace capwright::remap
