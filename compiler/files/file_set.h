// The rendered files of one cluster, sorted by path.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "source/source.h"
#include "value/provenance.h"

namespace capwright {

struct RenderedFile {
  std::string path;        // as its marker says it: `clusters/prod/cluster.yaml`
  MappedText body;         // never empty
  Sha256 digest{};         // of body.text()
  Span marker;             // the template text (or expression) that starts the marker
  bool secret = false;     // bytes of a secret value are in it
  bool encrypted = false;  // … which only who has a key can read
};

// An object whose name ends in a digest of its spec: whoever changes the spec makes a new object.
struct RotatedObject {
  std::string kind;
  std::string group;          // of its API, without version
  std::string name;           // with the digest
  std::string file;           // from the cluster's directory
  std::uint32_t retired = 0;  // 0: in use; else how many newer generations there are

  friend bool operator==(const RotatedObject&, const RotatedObject&) = default;
};

struct Rotation {
  std::string naming;                  // how names follow from specs; empty: names are the templates'
  std::vector<RotatedObject> objects;  // sorted by kind, group and name

  friend bool operator==(const Rotation&, const Rotation&) = default;
};

// Every path follows the rules of path_rules.h, and no two are one file or file and directory on any system:
// split_files() reports those that aren't so, and leaves them out.
class FileSet {
 public:
  FileSet() = default;
  // `files` in any order.
  FileSet(std::string cluster, std::vector<RenderedFile> files, Rotation rotation = {});

  const std::string& cluster() const { return cluster_; }
  // `clusters/prod/`, with which every path begins.
  const std::string& directory() const { return directory_; }
  std::span<const RenderedFile> files() const { return files_; }
  const Rotation& rotation() const { return rotation_; }
  // To make another set of them; this one is empty afterwards.
  std::vector<RenderedFile> take_files() && { return std::move(files_); }
  // By full path; null when there is none.
  const RenderedFile* find(std::string_view path) const;
  // The path as seen from the cluster's directory: `addons/canal/application.yaml`.
  std::string_view path_in_cluster(const RenderedFile& file) const {
    return std::string_view(file.path).substr(directory_.size());
  }

 private:
  std::string cluster_;
  std::string directory_;
  std::vector<RenderedFile> files_;
  Rotation rotation_;
};

// `clusters/<cluster>/`.
std::string cluster_directory(std::string_view cluster);

}  // namespace capwright
