// Finds the values of a cluster from its objects: renders candidates and keeps what reduces the difference.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "values/addon_catalogue.h"
#include "workflow/import_align.h"
#include "workflow/import_memory.h"
#include "workflow/session.h"

namespace capwright::workflow {

// A candidate and its render.
struct Trial {
  Value values;
  std::unique_ptr<diff::Side> side;
  std::unique_ptr<Alignment> alignment;  // null: it can't be rendered
  std::string error;                     // the first one, of a candidate that can't

  std::size_t cost() const { return alignment == nullptr ? static_cast<std::size_t>(-1) : alignment->cost(); }
};

// Whether the path begins with a key that says what a cluster is, or that the import sets itself.
bool is_fixed_key(std::string_view path);

// Calls `visit` with each scalar of `value`; `path` leads to it.
void visit_leaves(const Value& value, TreePath& path, const std::function<void(const Value&, const TreePath&)>& visit);
// The paths of the values with this origin. A default of list items has one origin for all items.
std::vector<TreePath> paths_of(const CompiledCluster& cluster, OriginId origin);

// The text of a values file.
std::string values_text(const Value& values, Arena& arena);

class ValuesSearch {
 public:
  ValuesSearch(Session& session, const ImportedCluster& imported, const Value& rules, ProbeMemory& memory,
               Arena& arena);

  // Why there is no candidate; otherwise empty. Call it first.
  std::string start();
  // Runs until nothing improves, within a number of renders.
  void improve();
  // Removes each key that makes no difference.
  void shorten();

  Trial& best() { return best_; }
  std::size_t renders() const { return renders_; }
  // Keys that still have the value of the start, in the values file or a layer, and that no manifest shows.
  std::vector<std::string> unseen() const;
  const std::string& path() const { return path_; }

  // Renders a candidate. `extra`: keys that only the result has, such as patches.
  Trial render(const Value& values);

 private:
  struct Proposal {
    TreePath path;
    Value value;
  };
  // The template set that renders a kind of infrastructure, and the values to start from.
  struct Origin {
    std::string provider;  // empty: no set does
    Value start;
  };
  Origin origin_of(std::string_view kind) const;
  // Why there is nothing to start from. `reference`: the field of the Cluster that names `what`.
  std::string not_rendered(std::string_view reference, std::string_view what) const;
  // Names the objects that the manifests lack, and the command that exports them.
  std::string missing_parts() const;
  void render_minor_version();
  bool keep_better(const Value& values);
  std::vector<Proposal> proposals(const Trial& trial) const;
  void propose(const Trial& trial, const FieldDifference& difference, std::vector<Proposal>& found) const;
  void propose_list(const Trial& trial, const FieldDifference& difference, std::vector<Proposal>& found) const;
  bool follow_makers();
  bool probe();
  const std::set<std::string>& beside(const TreePath& path) const;
  bool probe_key(const TreePath& path, const Value& value);
  std::string memory_key(const TreePath& path, const Value& value) const;
  void keep(Trial trial);
  Trial render_instead(const Value& candidate, const TreePath& path);
  std::vector<Proposal> probes() const;
  bool lacks_addons() const;
  void add_addons(const values::AddonCatalogue& catalogue, std::vector<Proposal>& found) const;
  std::string shape() const;
  void shorten_as_before();
  bool shorten_by(const TreePath& path);
  void shorten_below(const TreePath& path);

  Session& session_;
  const ImportedCluster& imported_;
  const Value& rules_;
  ProbeMemory& memory_;
  Arena& arena_;
  std::string path_;                          // of the values file
  std::map<std::string, std::string> pools_;  // names of imported pools, by those of the rendered ones
  Value started_;
  Trial best_;
  Gaps gaps_;                                              // of `best_`
  std::map<std::string, std::set<std::string>> improved_;  // the probes that improved the values, by first key
  std::size_t renders_ = 0;
};

// A value that the schema requires, although the manifests don't say it; or a list of a patch that drops what another
// patch adds.
struct ExampleValue {
  std::string key, value;
  std::string why;                 // "no manifest shows it", or what hides it
  std::string layer;               // the layer with the value; empty: the values file has it
  std::vector<std::string> files;  // rendered ones that have the value, and that something applies
  bool hidden = false;             // by a patch: a comment beside the value has the reason
  bool is_list = false;            // of a patch (K517): only the comment says it
};

// The key that a finding about a hidden value (K516) names.
TreePath hidden_key(const Diagnostic& finding);

// `trial`: the render of the result, with its patches.
std::vector<ExampleValue> examples_in(const ValuesSearch& search, const Trial& trial);

// The text of a values file, as `fmt` formats it, with a comment beside each value that a patch hides: without it, each
// render would warn (K516) about a key that can't be left out.
std::string with_comments(const std::string& text, const std::vector<ExampleValue>& examples);
// As `fmt` formats it.
std::string formatted(const std::string& text);

}  // namespace capwright::workflow
