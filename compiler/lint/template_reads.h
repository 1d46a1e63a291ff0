// Which values the templates of a set read, as a tree of keys: what of the values nobody reads is then what is not in
// it. In doubt something is read: a map that is handed on as a whole is read with all that is in it.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "lint/cluster.h"
#include "template/syntax/template.h"

namespace capwright::lint {

using Templates = std::vector<const jinja::Template*>;

// A key, and what is read below it.
struct ReadKey {
  bool whole = false;  // all that it holds
  std::map<std::string_view, std::unique_ptr<ReadKey>> below;
};

// What is known of one value: several, since a key that templates compute may be any.
class Reading {
 public:
  bool is_touched() const { return !keys_.empty(); }
  bool is_whole() const;
  // Of a member; of an item with kItem.
  Reading operator[](std::string_view key) const;
  // Keys that templates read below it, sorted.
  std::vector<std::string_view> keys() const;

  static constexpr std::string_view kItem = "[]";

 private:
  friend class TemplateReads;
  std::vector<const ReadKey*> keys_;
};

class TemplateReads {
 public:
  explicit TemplateReads(const Templates& templates);
  // Of all values together; points into this.
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

  std::multimap<std::string_view, Path> loops_;  // what a name stands for in templates that loops include
  std::vector<std::pair<Path, bool>> reads_;
  ReadKey root_;
};

// Those of the clusters of a run, which mostly have the same templates. Threads share it.
class KnownReads {
 public:
  std::shared_ptr<const TemplateReads> of(const Templates& templates);

 private:
  std::mutex lock_;
  std::map<Templates, std::shared_ptr<const TemplateReads>> known_;
};
// As the run knows them (Context::reads), or worked out anew.
std::shared_ptr<const TemplateReads> reads_of(const Templates& templates, const Context& context);

// All templates of a set.
Templates all_templates(const TemplateSet& set);
// Those that a render of these values may come to: by `include`, `import` and `extends` from the main one. Names are
// computed where that takes no more than values and texts.
Templates templates_of(const TemplateSet& set, const Value& values);

// The sets of a run, each with a cluster that it renders.
std::vector<std::pair<const TemplateSet*, const Cluster*>> template_sets(const Fleet& fleet);

// What the compiler itself reads of the values of a set: `secrets.form`. A path below one of these is read, too.
bool is_read_by_compiler(const TemplateSet& set, std::string_view path);

}  // namespace capwright::lint
