// One side of a comparison: the files of one cluster, whoever has them (a render, a folder, golden output, a revision),
// and the objects in them. Values, places and origins of a side belong to it; two sides share nothing.
#pragma once
#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/compile_cluster.h"
#include "yaml/read.h"

namespace capwright::diff {

struct SideFile {
  std::string path;                        // from the cluster's directory
  std::string text;                        // moves into the side's sources when it is read
  const RenderedFile* rendered = nullptr;  // what knows the makers of its bytes; null: nobody does
  bool secret = false;                     // its index says so, or a secret value made bytes of it
  FileId source = FileId::None;            // None: not read
  bool broken = false;                     // it should be YAML or JSON, and can't be read
  std::vector<YamlDocument> documents;     // of YAML and JSON that can be read
};

// An object of Kubernetes; or what stands in for one: a document without a kind, such as chart values, and a file that
// is no YAML, whose `value` is its whole text. These two are known by their file alone: their name is its path.
struct Object {
  std::string_view group, version, kind, space, name;  // kind: empty for what stands in
  std::string_view base;  // of a name that ends in the digest of a template's spec, what is before; else empty
  bool retired = false;   // an earlier generation, which rotation keeps
  bool is_secret() const { return kind == "Secret" && group.empty(); }
  const SideFile* file = nullptr;
  Value value;
  Span where;  // of its content
};

class Side {
 public:
  explicit Side(std::string cluster, const Limits& limits = {});
  // Of a render, which it keeps.
  explicit Side(std::unique_ptr<CompiledCluster> compiled, const Limits& limits = {});
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  void add_file(std::string path, std::string text, bool secret = false);

  const std::string& cluster() const { return cluster_; }
  // The render; null when the side is files only.
  const CompiledCluster* compiled() const { return compiled_.get(); }
  CompiledCluster* compiled() { return compiled_.get(); }
  const std::deque<SideFile>& files() const { return files_; }
  const SideFile* find(std::string_view path) const;
  // Bytes of a file, read or not.
  std::string_view text(const SideFile& file) const;

  // Reads a file into objects(), once. compare() reads those that differ; who needs all objects reads all.
  void read(const SideFile& file);
  void read_all();
  // In the order in which they were read.
  const std::deque<Object>& objects() const { return objects_; }
  // Manifests that name objects that left the tree, for Argo CD to delete; they are no objects of the tree.
  const std::deque<Object>& tombstones() const { return tombstones_; }

  // Places in here, and what is read later.
  const SourceSet& sources() const { return sources_; }
  Span span(const Value& value) const { return origins_[value.origin()].span; }
  Stage stage() { return {sources_, unseen_, arena_, origins_, limits_}; }
  // Whether a byte of the place was made by a secret value. Only a render knows.
  bool is_secret(Span place) const;
  // Who made the bytes: the first value among them, else the first text. Null when nobody knows. Its places are in
  // compiled()->sources, its values in compiled()->origins.
  const Segment* maker(Span place) const;
  // All makers of the bytes, in their order; none where nobody knows.
  std::span<const Segment> makers(Span place) const;

 private:
  void add_objects(SideFile& file);
  // `list`: that it is an item of, which says its kind and version if it says neither; null: of none.
  void add_object(const SideFile& file, const YamlDocument& document, const Value* list = nullptr);
  void add_whole(const SideFile& file, const Value& value, Span where);

  std::string cluster_;
  std::unique_ptr<CompiledCluster> compiled_;
  Limits limits_;
  SourceSet sources_;
  Sink unseen_;
  Arena arena_;
  OriginTable origins_;
  std::deque<SideFile> files_;
  std::deque<Object> objects_, tombstones_;
};

// `Deployment default/web`, `addons/cilium/values.yaml`.
std::string title_of(const Object& object);

}  // namespace capwright::diff
