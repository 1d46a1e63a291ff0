// What the search for the values of one cluster learned, for its later rounds and for the clusters after it. A full
// search of a cluster tries some 1,400 values; a fleet of equal clusters needs them once.
#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workflow/import_align.h"
#include "workflow/import_tree.h"

namespace capwright::workflow {

// How a render differs from the imported objects: by place ("KubeadmControlPlane spec.rollout"; indices and the name of
// the cluster don't count), the rendered and the imported value. An object that only one side has is a place, too.
using Gaps = std::map<std::string, std::pair<std::string, std::string>>;
Gaps gaps_of(const Alignment& alignment, std::string_view cluster);

// `json` with `*` for the name of the cluster where a text begins with it.
std::string shared_text(std::string json, std::string_view cluster);

// A probe is a key with the value that was tried, as text.
class ProbeMemory {
 public:
  // What a probe changed. `beside`: the probes of keys beside it that the values have. `after` null: it can't be
  // rendered.
  void learn(const std::string& probe, const std::set<std::string>& beside, const Gaps& before, const Gaps* after);
  void learn_success(const std::string& probe) { successes_.insert(probe); }
  // A search ended with these gaps: no key closes them.
  void give_up(const Gaps& gaps);

  // A key with a value that a cluster can't do without, or that makes no difference.
  void learn_need(const std::string& key) { needs_.insert(key); }
  void learn_removable(const std::string& key) { removable_.insert(key); }
  bool is_removable(const std::string& key) const { return removable_.contains(key); }
  bool is_needed(const std::string& key) const { return needs_.contains(key); }

  // Whether the probe may close a gap: it is unknown, or it changed the place of a gap that isn't given up. A probe
  // without an effect is tried again with other probes beside it.
  bool may_help(const std::string& probe, const std::set<std::string>& beside, const Gaps& gaps) const;
  // Whether it improved another cluster, or this one.
  bool has_helped(const std::string& probe) const { return successes_.contains(probe); }

  // What the search changed in the values that it started from. `shape`: of the cluster's objects.
  void learn_result(const std::string& shape, std::string_view cluster, const Value& started, const Value& result);
  // The values to start from, with what the last cluster of the shape changed.
  Value with_last_result(const std::string& shape, std::string_view cluster, const Value& started, Arena& arena) const;

 private:
  // Texts that begin with the name of the cluster have `kNameMark` in its place.
  struct Changes {
    Arena arena;
    std::vector<std::pair<TreePath, Value>> values;
  };
  struct Effect {
    std::set<std::string> places;  // empty: none, or it can't be rendered
    std::set<std::string> beside;
  };
  std::map<std::string, Effect> effects_;
  std::set<std::string> successes_, needs_, removable_, given_up_;
  std::map<std::string, std::unique_ptr<Changes>> results_;  // by shape
};

}  // namespace capwright::workflow
