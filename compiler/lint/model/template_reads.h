// The values that the templates of a set read, as a tree of keys: all other values are unused. Errs on the side of
// "read": a map that is passed on as a whole counts as read completely.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lint/model/cluster.h"
#include "template/syntax/template.h"

namespace capwright::lint {

using Templates = std::vector<const jinja::Template*>;

// A key, and the keys that are read below it.
struct ReadKey {
  bool whole = false;  // all of its contents
  std::map<std::string_view, std::unique_ptr<ReadKey>> below;
};

// What is known about one value: several nodes, because a key that templates compute may be any key.
class Reading {
 public:
  bool is_touched() const { return !keys_.empty(); }
  bool is_whole() const;
  // For a member; for an item with kItem.
  Reading operator[](std::string_view key) const;
  // Keys below it that templates read, sorted.
  std::vector<std::string_view> keys() const;

  static constexpr std::string_view kItem = "[]";

 private:
  friend class TemplateReads;
  std::vector<const ReadKey*> keys_;
};

class TemplateReads {
 public:
  explicit TemplateReads(const Templates& templates);
  // For the values as a whole; points into this.
  Reading values() const;

 private:
  using Path = std::vector<std::string_view>;
  struct Loop {
    std::string_view name;
    Path items;
  };
  void collect(const jinja::Template& parsed);
  void collect_names(const jinja::Expr& expr);
  void add(const Path& path, bool whole, int depth);

  std::multimap<std::string_view, Path> loops_;  // the value of a name in templates that loops include
  std::vector<std::pair<Path, bool>> reads_;
  ReadKey root_;
};

// The results for the clusters of a run, most of which share templates. Thread-safe.
class KnownReads {
 public:
  std::shared_ptr<const TemplateReads> of(const Templates& templates);

 private:
  std::mutex lock_;
  std::map<Templates, std::shared_ptr<const TemplateReads>> known_;
};
// From the cache of the run (Context::reads), or computed.
std::shared_ptr<const TemplateReads> reads_of(const Templates& templates, const Context& context);

// All templates of a set.
Templates all_templates(const TemplateSet& set);
// The templates that a render of these values may reach from the main one by `include`, `import` and `extends`.
// Computes names if they depend only on values and constant texts. Those of `resources` are rendered, too.
Templates templates_of(const TemplateSet& set, const Value& values, std::span<const OwnResource> resources);

// The template sets of a run, each with a cluster that it renders.
std::vector<std::pair<const TemplateSet*, const Cluster*>> template_sets(const Fleet& fleet);

// Values of a set that the compiler itself reads, such as `secrets.form`, with all paths below them, and those of the
// variables of a set in clusterctl's language.
bool is_read_by_compiler(const TemplateSet& set, std::string_view path);

}  // namespace capwright::lint
