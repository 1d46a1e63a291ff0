// The input of rules: the objects of one cluster, parsed once and indexed by kind and name; their files; and, if
// capwright rendered them, their values and templates. A Fleet has all clusters of a run.
#pragma once
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/on_demand.h"
#include "crd/registry.h"
#include "lint/engine/suppressions.h"
#include "lint/model/context.h"
#include "lint/model/memo.h"
#include "lint/model/node.h"
#include "lint/model/object.h"
#include "pipeline/cluster.h"
#include "value/provenance.h"
#include "value/stage.h"

namespace capwright::lint {

class InputMap;
struct CommandOutput;

// Why a manifest is read: found in a folder, which may also have other files, or named by the user or read from
// standard input, so that all of it is meant to be applied.
enum class TargetKind : std::uint8_t { Found, Named };

// A file of a cluster. Invalid YAML has no documents; a list of objects has one document for each of them.
struct File {
  std::string path;
  FileId source = FileId::None;
  const RenderedFile* rendered = nullptr;      // null: not rendered in this run, so users edit its lines
  TargetKind target_kind = TargetKind::Found;  // for files that aren't rendered in this run
  std::list<Document> documents;

  // The only document; absent when there are none or several.
  Node root() const { return documents.size() == 1 ? Node(documents.front()) : Node(); }
};

// Belongs to one thread at a time, because it keeps what rules find out about it.
class Cluster {
 public:
  // From a render: points into its files, and takes over their parsed documents. Adds places to the cluster's own
  // sources.
  Cluster(CompiledCluster& compiled, const Context& context);
  // For manifests on disk; initially without any. `name` may be empty.
  Cluster(std::string name, const Context& context);
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  ~Cluster();

  // Reserves memory for this number of bytes of manifests.
  void expect_manifests(std::size_t bytes);
  // Parses a manifest; syntax errors go to sink(). Call it before any other function. `first_line`: the line number of
  // the text's first line.
  void add_manifest(std::string path, std::string text, std::uint32_t first_line = 1,
                    TargetKind target_kind = TargetKind::Found);
  // The same for a text that the caller owns and that outlives the cluster and its kept findings.
  void add_borrowed_manifest(std::string path, std::string_view text, TargetKind target_kind);

  // The manifests are the output of a command, which outlives the cluster and its kept findings. Call it before any
  // other function but add_borrowed_manifest().
  void trace_to(const CommandOutput& output);

  std::string_view name() const { return name_; }
  const std::deque<File>& files() const {
    look_around();
    return files_;
  }
  const File* file(std::string_view path) const;

  // In the order of files and documents; of a kind; of a name, in any group (null when there is none).
  Objects objects() const {
    look_around();
    return Objects(all_);
  }
  Objects of_kind(std::string_view kind) const;
  Objects named(std::string_view kind, std::string_view space, std::string_view name) const;
  const Object* find(std::string_view group, std::string_view kind, std::string_view space,
                     std::string_view name) const;
  // Manifests that name objects which left the tree, for Argo CD to delete. Rules don't see them as objects.
  std::span<const Object* const> tombstones() const {
    look_around();
    return Objects(tombstones_);
  }
  // Documents without a kind, except for rendered chart values.
  std::span<const Document* const> strays() const { return strays_; }
  // The object of a document; null for one without a kind.
  const Object* object_of(const Document& document) const;

  // The merged values and the template set; absent and null for manifests.
  Node values() const;
  const TemplateSet* templates() const { return compiled_ == nullptr ? nullptr : compiled_->set; }
  // Null for manifests.
  const CompiledCluster* compiled() const { return compiled_; }

  // Where the output comes from; null: the manifests are files, or rendered.
  InputMap* inputs() const { return inputs_.get(); }

  SourceSet& sources() { return *sources_; }
  const SourceSet& sources() const { return *sources_; }
  Sink& sink() { return *sink_; }
  const Sink& sink() const { return *sink_; }
  // The result of `find_out` for the cluster's objects and files, computed once.
  template <class Answer>
  const Answer& memo(Answer (*find_out)(const Cluster&)) const {
    look_around();
    return known_->memo(*this, find_out);
  }
  // Records that an answer depends on other objects than the one it is about.
  void look_around() const { known_->looked_around = true; }
  // Whether files or objects were requested since forget_looks().
  bool has_looked_around() const { return known_->looked_around; }
  void forget_looks() const { known_->looked_around = false; }
  // Parsed on first use.
  Suppressions& suppressions() { return read_suppressions(); }
  const Suppressions& suppressions() const { return read_suppressions(); }
  // Places in sources() that are redacted when their lines are shown.
  const std::vector<Span>& secrets() const {
    return compiled_ == nullptr ? known_->secrets : compiled_->secrets.places;
  }
  void redact(Span secret) const;
  // A word in redacted places of the render that isn't secret.
  void allow_word(std::string_view word) const;
  // From the first unreadable document to the end of its file.
  const std::vector<Span>& unread() const { return unread_; }
  const Context& context() const { return context_; }
  // For parsing further texts: their values live as long as the cluster. Diagnostics are discarded.
  Stage stage() const { return {*sources_, known_->unseen, known_->arena, known_->origins, context_.limits}; }
  // The stage that rendered it, to look up the origins of bytes; for manifests, the same as stage().
  Stage makers() const {
    if (compiled_ == nullptr) return stage();
    return {*sources_, known_->unseen, known_->arena, compiled_->origins, context_.limits};
  }

 private:
  friend class Node;
  // What rules find out about the cluster, and what they parse for that.
  struct Known {
    Arena arena;
    OriginTable origins;
    Sink unseen;
    std::optional<Suppressions> suppressions;
    std::optional<ObjectIndex> index;
    std::map<const Value*, Document> inside;  // texts that were parsed
    std::vector<Span> secrets;                // for manifests
    Memo memo;
    bool looked_around = false;
  };
  Suppressions& read_suppressions() const;
  Node text_inside(const Node& text, bool base64) const;
  File& new_file(std::string path, FileId source, const RenderedFile* rendered);
  void read_manifest(std::string path, FileId source, TargetKind target_kind);
  void read_documents(File& file, FileId source, Sink& faults);
  void add_documents(File& file, const std::vector<YamlDocument>& documents);
  void add_document(File& file, Document document);
  Value completed_item(const Document& list, const Value& item);
  void add_object(Document& document);
  const ObjectIndex& index() const;

  std::string name_;
  CompiledCluster* compiled_ = nullptr;
  const Context& context_;
  std::unique_ptr<SourceSet> own_sources_;  // for manifests
  std::unique_ptr<Sink> own_sink_;
  std::unique_ptr<InputMap> inputs_;
  SourceSet* sources_;
  Sink* sink_;
  std::deque<File> files_;
  std::deque<Object> objects_;
  std::vector<const Object*> all_, tombstones_;
  std::vector<const Document*> strays_;
  Document values_;
  std::vector<Span> unread_;
  // Found out on first use, because few clusters need all of it, and many rules need the same: for a cluster of
  // golden/capo, rules look into the index 236 times.
  OnDemand<Known> known_;
};

// All clusters of a run, by name.
struct Fleet {
  std::vector<const Cluster*> clusters;
};

}  // namespace capwright::lint
