// One side of a comparison: the files of one cluster from any source (a render, a folder, golden output, a revision),
// and their objects. A side owns its values, places and origins; two sides share nothing.
#pragma once
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/cluster.h"
#include "yaml/read.h"

namespace capwright::diff {

struct SideFile {
  std::string path;                        // as FileSet::path_in_cluster() returns it
  std::string text;                        // moves into the side's sources when it is parsed
  const RenderedFile* rendered = nullptr;  // has the makers of its bytes; null: unknown
  bool secret = false;                     // marked in its index, or with bytes from a secret value
  FileId source = FileId::None;            // None: not parsed
  bool broken = false;                     // YAML or JSON by its name, but invalid, or skipped by Argo CD
  std::vector<YamlDocument> documents;     // of valid YAML and JSON
};

// A Kubernetes object, or a stand-in for one: a document without a kind, such as chart values, or a file that isn't
// YAML, whose `value` is its complete text. Stand-ins are identified by their file: their name is its path.
struct Object {
  std::string_view group, version, kind, space, name;  // kind: empty for stand-ins
  // Of a name that ends in the digest of a template's spec, the part before it; also if `existing_names` replaces that
  // name. Otherwise empty.
  std::string_view base;
  bool retired = false;  // an earlier generation that rotation keeps
  bool is_secret() const { return kind == "Secret" && group.empty(); }
  const SideFile* file = nullptr;
  Value value;
  Span where;  // of its content
};

class Side {
 public:
  explicit Side(std::string cluster, const Limits& limits = {});
  // From a render, which the side owns.
  explicit Side(std::unique_ptr<CompiledCluster> compiled, const Limits& limits = {});
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  void add_file(std::string path, std::string text, bool secret = false);
  // Edits the objects of files that are read from now on. A function pointer, because a fleet has many sides.
  using Edit = Value (*)(const Value& object, Arena& arena);
  void edit_objects(Edit edit) { edit_ = edit; }

  const std::string& cluster() const { return cluster_; }
  // The path of a file in reports: `clusters/prod/cluster.yaml`.
  std::string shown_path(const SideFile& file) const;
  // What comes before it: `clusters/prod/`, or for files outside of the directory the output folder.
  void show_in(std::string folder, std::string output) {
    shown_folder_ = std::move(folder);
    shown_output_ = std::move(output);
  }
  // The render; null when the side consists of files only.
  const CompiledCluster* compiled() const { return compiled_.get(); }
  CompiledCluster* compiled() { return compiled_.get(); }
  const std::deque<SideFile>& files() const { return files_; }
  const SideFile* find(std::string_view path) const;
  // The bytes of a file, parsed or not.
  std::string_view text(const SideFile& file) const;

  // Parses a file into objects(), once. compare() parses files that differ; callers that need all objects parse all.
  void read(const SideFile& file);
  void read_all();
  // Reports files of the render that were parsed and aren't YAML to its sink. A render of a plain template folder
  // doesn't parse all files itself. False: there are none.
  bool report_broken();
  // Uses the `existing_names` of the other side, too: a tree of files has none. Call it before objects are read.
  void take_existing_names(const Side& other);
  // Leaves nothing of the side but its name.
  std::unique_ptr<CompiledCluster> take_compiled() { return std::move(compiled_); }
  // In the order in which they were parsed.
  const std::deque<Object>& objects() const { return objects_; }
  // Manifests that name objects which left the tree, for Argo CD to delete; they aren't objects of the tree.
  const std::deque<Object>& tombstones() const { return tombstones_; }

  // Contains the places of this side, including those of texts parsed later.
  const SourceSet& sources() const { return sources_; }
  Span span(const Value& value) const { return origins_[value.origin()].span; }
  Stage stage() { return {sources_, unseen_, arena_, origins_, limits_}; }
  // Whether the place has a byte from a secret value. Only known for a render.
  bool is_secret(Span place) const;
  // The maker of the bytes: the first value among them, otherwise the first text. Null if unknown. Its places are in
  // compiled()->sources, its values in compiled()->origins.
  const Segment* maker(Span place) const;
  // All makers of the bytes, in order; empty if unknown.
  std::span<const Segment> makers(Span place) const;

 private:
  void add_objects(SideFile& file);
  // `list`: the list that contains it, whose kind and version it inherits if it has none; null: it isn't an item.
  void add_object(const SideFile& file, const YamlDocument& document, const Value* list = nullptr);
  void add_whole(const SideFile& file, const Value& value, Span where);
  std::string_view base_of(const Object& object) const;

  std::string cluster_, shown_folder_, shown_output_;
  std::unique_ptr<CompiledCluster> compiled_;
  Limits limits_;
  Edit edit_ = nullptr;
  SourceSet sources_;
  Sink unseen_;
  Arena arena_;
  OriginTable origins_;
  std::deque<SideFile> files_;
  std::deque<Object> objects_, tombstones_;
  std::map<std::pair<std::string, std::string>, std::string> existing_;  // rendered names, by kind and existing name
};

// `Deployment default/web`, `addons/cilium/values.yaml`.
std::string title_of(const Object& object);

}  // namespace capwright::diff
