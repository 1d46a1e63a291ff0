// Follows changes from the object that they are in to the machines that are made from it. cluster.h is the way in.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crd/update.h"
#include "plan/cluster.h"
#include "plan/drafts.h"
#include "plan/effects.h"
#include "plan/machines.h"
#include "plan/removal.h"

namespace capwright::plan {

// The name of an object, without the digest of a template's spec.
inline std::string_view own_name(const diff::Object& object) { return object.base.empty() ? object.name : object.base; }
Verb verb_of(Effect effect);
// Every path below a change at which something came, went or changed as a whole.
void each_leaf(diff::Path& path, const Value& value, const std::function<void(const diff::Path&, const Value&)>& visit);

class Planner {
 public:
  Planner(const diff::ClusterDiff& diff, diff::Side* before, diff::Side* after, const Server& server)
      : diff_(diff), before_(before), after_(after), server_(server) {}

  ClusterPlan plan();

 private:
  // Whether somebody has to know who makes machines, for which more files are read: not for add-ons and their values,
  // which are what changes most.
  bool concerns_machines() const;
  Action whole_cluster(const MachineCount& machines) const;
  // Who applies the tree may ask before it deletes, or leave what it is.
  void add_deletion(Action& action) const;
  // Changes of what no rule looks at, such as Applications and the values of add-ons: the most of all, for which
  // nothing has to be read anew.
  bool is_harmless(const ClusterPlan& plan) const;
  static bool may_break_rules(const diff::ObjectPair& pair);

  // ---- one object ----
  void plan_pair(const diff::ObjectPair& pair);
  void created(const diff::Object& object);
  void removed(const diff::Object& object);
  void add_new_name(const MachineSet& gone, bool goes, std::string& note) const;
  // Machines that go or come with a Cluster, and have no actions of their own.
  MachineCount machines_besides(const diff::Object& cluster, const Machines& machines) const;
  // Objects that a new tombstone deletes though they left the tree in an earlier change.
  void plan_tombstones();
  // A template under a new name: the objects that refer to it decide what happens, if there are any.
  void renamed(const diff::ObjectPair& pair);

  // ---- what the server refuses ----
  bool refused(const diff::ObjectPair& pair);
  void add_refusal(const diff::ObjectPair& pair, const crd::Refusal& refusal, const KindEffects* known,
                   Drafts::Draft& draft);

  // ---- one change ----
  void plan_change(const diff::ObjectPair& pair, const diff::Change& change, const KindEffects* known);
  // Which machines are replaced.
  static void mark(const FieldEffect* entry, Drafts::Draft& draft);
  // A MachineDeployment finds its machines by labels: those that no longer match are orphans.
  static void leave_first_set(const diff::ObjectPair& pair, Drafts::Draft& draft);
  // Where something isn't paused any more, what was held back comes.
  void resume(const diff::ObjectPair& pair, const diff::Change& change, const KindEffects& known);
  // The fields of another version of the API may be called differently: what they do isn't known.
  void plan_conversion(const diff::ObjectPair& pair, const diff::Change& change, const KindEffects* known);
  void add_effect(const diff::ObjectPair& pair, const diff::Change& change, const KindEffects* known,
                  const FieldEffect* entry);
  // The first entry of the kind that an object which mentions this one has; what replaces least comes last.
  const FieldEffect* reader_of(const diff::Object& object, const KindEffects& known) const;

  // ---- values of add-ons ----
  // Applications that name the file.
  static std::vector<const diff::Object*> releases_with(const diff::Object& file, diff::Side& side);
  void add_values(const diff::ObjectPair& pair, const diff::Change& change);
  void add_values(const diff::Object& file);

  // ---- clusters of a ClusterClass ----
  MachineCount topology_machines(const diff::Object& cluster) const;
  // Pools that come to `spec.topology` and go from it. The topology controller deletes them itself.
  void plan_topologies();
  // A change of `spec.topology`; false when it is none.
  bool plan_topology_change(const diff::ObjectPair& pair, const diff::Change& change);
  void add_to_set(const diff::ObjectPair& pair, const diff::Change& change, const FieldEffect* entry,
                  const MachineSet& set);
  // A template of a class that changes under its name: the topology controller compares contents.
  void plan_class_template(const diff::ObjectPair& pair, const KindEffects* known);
  bool add_of_class(const diff::ObjectPair& pair, const diff::Change& change, bool is_spec, const MachineSet& set);
  // A class that names another template; false when the change is none. Where only the name is another one, nothing
  // is made anew.
  bool plan_class_change(const diff::ObjectPair& pair, const diff::Change& change);

  // ---- targets ----
  // What an effect on an object is an effect on: the machines that are made with a part of a pool, else the object.
  std::vector<Drafts::Draft*> drafts_of(const diff::Object& object, const KindEffects* known);
  Drafts::Draft& draft_of(const diff::Object& object, const KindEffects* known);
  // Of either side.
  Drafts::Draft& draft_of(const MachineSet& set);
  Reason reason_of(const diff::ObjectPair& pair, const diff::Change& change, std::string note,
                   std::string source = {}) const;

  const diff::ClusterDiff& diff_;
  diff::Side* before_;
  diff::Side* after_;
  const Server& server_;
  std::optional<Machines> old_machines_, new_machines_;
  std::optional<Removal> removal_;
  Drafts drafts_;
};

}  // namespace capwright::plan
