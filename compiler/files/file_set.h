// The rendered files of one cluster, sorted by path, and how rendered text is cut into them at its `# FILE: path`
// lines.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha.h"
#include "source/source.h"
#include "value/provenance.h"
#include "value/stage.h"

namespace capwright {

class Outputs;

struct RenderedFile {
  std::string path;        // as in its marker: `clusters/prod/cluster.yaml`
  MappedText body;         // never empty
  Sha256 digest{};         // of body.text()
  Span marker;             // the template text (or expression) that starts the marker
  bool secret = false;     // contains bytes of a secret value
  bool encrypted = false;  // … which are encrypted
  bool own = false;        // one of the cluster's `resources`, not of its template set
};

// An object whose name ends in a digest of its spec: changing the spec creates a new object.
struct RotatedObject {
  std::string kind;
  std::string group;          // of its API, without version
  std::string name;           // with the digest
  std::string file;           // relative to the cluster's directory
  std::uint32_t retired = 0;  // 0: in use; otherwise the number of newer generations

  friend bool operator==(const RotatedObject&, const RotatedObject&) = default;
};

struct Rotation {
  std::string naming;                  // how names are derived from specs; empty: the templates set the names
  std::vector<RotatedObject> objects;  // sorted by kind, group and name

  friend bool operator==(const Rotation&, const Rotation&) = default;
};

// How the index and others name a file of a cluster: see FileSet::path_in_cluster().
std::string path_in_cluster(std::string_view cluster, std::string_view path_in_output);
std::string path_in_output(std::string_view cluster, std::string_view path_in_cluster);
// Whether such a path leads to a file outside of the cluster's directory.
inline bool is_outside(std::string_view path_in_cluster) { return path_in_cluster.starts_with('/'); }

// Every path follows the rules of path_rules.h, and no two paths are the same file, or file and directory, on any
// system: split_files() reports violations and drops these files.
class FileSet {
 public:
  FileSet() = default;
  // `files` in any order.
  FileSet(std::string cluster, std::vector<RenderedFile> files, Rotation rotation = {});

  const std::string& cluster() const { return cluster_; }
  // `clusters/prod/`, the prefix of every path but those that `template.outputs` allows.
  const std::string& directory() const { return directory_; }
  std::span<const RenderedFile> files() const { return files_; }
  const Rotation& rotation() const { return rotation_; }
  // Moves the files out, to build another set; this one is empty afterwards.
  std::vector<RenderedFile> take_files() && { return std::move(files_); }
  // By full path; null if there is none.
  const RenderedFile* find(std::string_view path) const;
  // The path relative to the cluster's directory: `addons/canal/application.yaml`. For a file outside of it, the path
  // from the output folder with a leading `/`: `/argocd/apps/prod.yaml`.
  std::string path_in_cluster(const RenderedFile& file) const {
    return capwright::path_in_cluster(cluster_, file.path);
  }

 private:
  std::string cluster_;
  std::string directory_;
  std::vector<RenderedFile> files_;
  Rotation rotation_;
};

// `clusters/<cluster>/`.
std::string cluster_directory(std::string_view cluster);

// A line that starts with `# FILE: ` begins a file whose text ends at the next such line. It counts only if these bytes
// are template text: inside a value they are an error (F003), never a file. The path after it may contain values. Every
// other mistake has its own F code, reported at the value that made the bytes, or otherwise at the template text; files
// with errors are dropped. `trace` adds the calls that led to the place. Without `outputs`, all files are below
// `clusters/<cluster>/`.
FileSet split_files(const MappedText& rendered, std::string_view cluster, Stage& stage,
                    const RenderTrace* trace = nullptr, const Outputs* outputs = nullptr);

}  // namespace capwright
