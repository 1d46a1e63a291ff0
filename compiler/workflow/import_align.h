// Pairs the objects of a render with imported ones, and lists how they differ.
#pragma once
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "diff/side.h"
#include "workflow/import_objects.h"
#include "workflow/import_tree.h"

namespace capwright::workflow {

struct AlignedPair {
  const diff::Object* rendered = nullptr;    // null: not rendered
  const ImportedObject* imported = nullptr;  // null: not imported
};

struct FieldDifference {
  const AlignedPair* pair = nullptr;
  TreePath path;
  const Value* rendered = nullptr;  // null: missing
  const Value* imported = nullptr;
};

class Alignment {
 public:
  // By references from objects that are paired, starting with the Cluster; then by kind and name, with or without the
  // digest of a template; then what is left of
  // a kind, if it is one on each side, except for the kinds in `by_name`. `side` is parsed; both must outlive the
  // result. `pools`: names of imported pools, by the names that they are rendered with.
  Alignment(const diff::Side& side, const ImportedCluster& imported, const std::map<std::string, std::string>& pools,
            const Value& by_name);

  const std::vector<AlignedPair>& pairs() const { return pairs_; }
  const std::vector<FieldDifference>& differences() const { return differences_; }
  // Fields that differ, with those of objects that only one side has.
  std::size_t cost() const { return cost_; }
  // Whether fewer fields differ. A side that only renders less must not render something else instead:
  // `rollout.strategy: OnDelete` would hide two defaults, and change what happens to machines. Nor must it leave out a
  // map that the manifests have with other content: `security_groups.managed: false` would do so for managed groups.
  bool is_better_than(const Alignment& other) const;
  // Whether a difference at this place is only the other name of a paired object.
  bool is_renamed(const Value& rendered_map, const Value& imported_map) const;

 private:
  using Id = std::pair<std::string, std::string>;  // kind and name
  // The scalars that only the rendered sides of paired objects have: kind, path without indices, and value.
  std::set<std::string> surplus() const;
  // Maps of the manifests that the render lacks.
  std::set<std::string> missing_maps() const;
  // Fields of imported objects that the rendered ones have too.
  std::size_t matches() const;
  void pair(const diff::Object* rendered, const ImportedObject* imported);
  void follow(const Value& rendered, const Value& imported);
  void pair_names(const std::map<std::string, std::string>& pools);
  void pair_bases();
  void pair_rest(const Value& by_name);
  void compare(const AlignedPair& pair, TreePath& path, const Value* rendered, const Value* imported);
  void compare_maps(const AlignedPair& pair, TreePath& path, const Value& rendered, const Value& imported);

  std::map<Id, const diff::Object*> rendered_;
  std::map<Id, const ImportedObject*> imported_;
  std::map<Id, std::string> new_names_;  // of rendered objects: the imported name
  std::vector<AlignedPair> pairs_;
  std::vector<FieldDifference> differences_;
  std::size_t cost_ = 0;
};

// Entries for `patches` that make the rendered objects equal to the imported ones, and delete those without an imported
// one. An empty List if nothing differs.
Value patches_for(const Alignment& alignment, Arena& arena);

// Files for `resources` with the imported objects that aren't rendered: text by path.
std::map<std::string, std::string> resources_for(const Alignment& alignment, const std::string& cluster);

// Entries for `existing_names`.
Value existing_names_for(const Alignment& alignment, Arena& arena);

}  // namespace capwright::workflow
