// What rules look at: the objects of one cluster, read once and found by kind, by name or by a reference; the files
// that they are in; the values and templates that made them, if capwright rendered them. A Fleet has all clusters of a
// run.
#pragma once
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crd/registry.h"
#include "lint/memo.h"
#include "lint/node.h"
#include "lint/object.h"
#include "lint/suppressions.h"
#include "pipeline/compile_cluster.h"

namespace capwright::lint {

class KnownReads;

// What rules may know beside the cluster; the same for all clusters of a run, which it outlives.
struct Context {
  Limits limits;
  const crd::Registry* registry = nullptr;  // null: kinds are not known
  std::string as_of;                        // the day that support and suppressions are judged by: "2026-08-22"
  std::vector<std::string> externals;       // what exists beside the tree: globs of `Kind/name`
  bool is_whole = true;                     // all clusters of the repository are looked at
  // A cluster is one document of a stream that is too long to be held: other objects may be there or not.
  bool is_stream = false;
  KnownReads* reads = nullptr;           // what templates read, for all clusters; null: worked out for each
  const Value* kubernetes = nullptr;     // kubernetes.yaml with the repository's own entries; null: as it is built in
  bool is_part = false;                  // what is looked at is part of a tree: anything may exist beside it
  Delivery delivery = Delivery::ArgoCd;  // which tool applies the tree
};

// The date of the catalogue, of Context::kubernetes if that is given: Context::as_of unless `--as-of` is given.
std::string catalogue_date(const Value* kubernetes = nullptr);

// Why a manifest is read: it lies in a folder, perhaps among other files, or somebody has named it, or handed it over
// by standard input, so that all in it is meant to be applied.
enum class Asked : std::uint8_t { Found, Named };

// A file of a cluster. What is no YAML has no documents; a document that is a list of objects has one for each of them.
struct File {
  std::string path;
  FileId source = FileId::None;
  const RenderedFile* rendered = nullptr;  // null: not rendered in this run, its own lines are what people edit
  Asked asked = Asked::Found;              // of what is not rendered in this run
  std::list<Document> documents;

  // The only document; a Node that doesn't exist when there are none or several.
  Node root() const { return documents.size() == 1 ? Node(documents.front()) : Node(); }
};

class Cluster {
 public:
  // Of a render: its files, which it keeps pointing into, and what was read of them, which it takes over. Places are
  // added to the cluster's own sources.
  Cluster(CompiledCluster& compiled, const Context& context);
  // Of manifests on disk: none yet. `name` may be empty.
  Cluster(std::string name, const Context& context);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // Makes room for so many bytes of manifests.
  void expect_manifests(std::size_t bytes);
  // Reads a manifest; faults of its YAML are in sink(). To be called before anything else is asked. `first_line` is the
  // number of the text's first line.
  void add_manifest(std::string path, std::string text, std::uint32_t first_line = 1, Asked asked = Asked::Found);
  // The same of a text that somebody else holds, at least as long as the cluster and what is kept of its findings.
  void add_borrowed_manifest(std::string path, std::string_view text, Asked asked);

  std::string_view name() const { return name_; }
  const std::deque<File>& files() const { return looked_around_ = true, files_; }
  const File* file(std::string_view path) const;

  // In the order of files and documents; those of a kind; those of a name, of whatever group; null when there is none.
  Objects objects() const { return looked_around_ = true, Objects(all_); }
  Objects of_kind(std::string_view kind) const;
  Objects named(std::string_view kind, std::string_view space, std::string_view name) const;
  const Object* find(std::string_view group, std::string_view kind, std::string_view space,
                     std::string_view name) const;
  // Manifests that name objects that left the tree, for Argo CD to delete; no rule takes them for objects.
  std::span<const Object* const> tombstones() const { return looked_around_ = true, Objects(tombstones_); }
  // Documents that are no objects, of what is not rendered in this run: they have no kind.
  std::span<const Document* const> strays() const { return strays_; }
  // The object that a document is; null for one without kind.
  const Object* object_of(const Document& document) const;

  // The merged values and the template set; absent and null for manifests.
  Node values() const;
  const TemplateSet* templates() const { return compiled_ == nullptr ? nullptr : compiled_->set; }
  // Null for manifests.
  const CompiledCluster* compiled() const { return compiled_; }

  SourceSet& sources() const { return *sources_; }
  Sink& sink() const { return *sink_; }
  // What `find_out` says of its objects and files, worked out once.
  template <class Answer>
  const Answer& memo(Answer (*find_out)(const Cluster&)) const {
    looked_around_ = true;
    return memo_(*this, find_out);
  }
  // That an answer rests on other objects than the one that was asked about.
  void look_around() const { looked_around_ = true; }
  // Whether files or objects were asked for since forget_looks().
  bool has_looked_around() const { return looked_around_; }
  void forget_looks() const { looked_around_ = false; }
  // Read when it is first asked for.
  Suppressions& suppressions() const;
  // Places in sources() that are masked when their lines are shown.
  const std::vector<Span>& secrets() const { return compiled_ == nullptr ? secrets_ : compiled_->secrets; }
  void conceal(Span secret) const;
  // From the first document that can't be read to the end of its file.
  const std::vector<Span>& unread() const { return unread_; }
  const Context& context() const { return context_; }
  // To read something more: its values live as long as the cluster. Faults go to a sink that nobody looks at.
  Stage stage() const { return {*sources_, unseen_, arena_, origins_, context_.limits}; }
  // The stage that rendered it, to ask for what made its bytes; of manifests, the same as stage().
  Stage makers() const {
    return compiled_ == nullptr ? stage() : Stage{*sources_, unseen_, arena_, compiled_->origins, context_.limits};
  }

 private:
  friend class Node;
  Node text_inside(const Node& text, bool base64) const;
  File& new_file(std::string path, FileId source, const RenderedFile* rendered);
  void read_manifest(std::string path, FileId source, Asked asked);
  void read_documents(File& file, FileId source, Sink& faults);
  void add_documents(File& file, const std::vector<YamlDocument>& documents);
  void add_document(File& file, Document document);
  Value completed_item(const Document& list, const Value& item);
  void add_object(Document& document);
  const ObjectIndex& index() const;

  std::string name_;
  CompiledCluster* compiled_ = nullptr;
  const Context& context_;
  std::unique_ptr<SourceSet> own_sources_;  // of manifests
  std::unique_ptr<Sink> own_sink_;
  SourceSet* sources_;
  Sink* sink_;
  mutable std::optional<Suppressions> suppressions_;
  mutable Sink unseen_;
  mutable Arena arena_;
  mutable OriginTable origins_;
  std::deque<File> files_;
  std::deque<Object> objects_;
  std::vector<const Object*> all_, tombstones_;
  std::vector<const Document*> strays_;
  mutable std::optional<ObjectIndex> index_;  // once it is asked for
  Document values_;
  mutable std::map<const Value*, Document> inside_;  // texts that were read
  mutable std::vector<Span> secrets_;                // of manifests
  std::vector<Span> unread_;
  mutable bool looked_around_ = false;
  mutable Memo memo_;
};

// All clusters of a run, by name.
struct Fleet {
  std::vector<const Cluster*> clusters;
};

}  // namespace capwright::lint
