// Follows changes from the changed object to the machines that are made from it. The entry point is plan_cluster.h.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "crd/update.h"
#include "diff/change.h"
#include "plan/drafts.h"
#include "plan/effects.h"
#include "plan/machine_sets.h"
#include "plan/plan.h"
#include "plan/plan_cluster.h"
#include "plan/removal.h"

namespace capwright::plan {

// Of the values of a chart whose release isn't in the tree, such as one that a patch deletes.
inline constexpr std::string_view kUnreadValues = "no add-on of the cluster reads this file";

// The name of an object, without the digest of a template's spec.
inline std::string_view own_name(const diff::Object& object) { return object.base.empty() ? object.name : object.base; }
Verb verb_of(Effect effect);
// Whether the path `inner` is `outer` or below it.
bool is_at_or_below(std::string_view inner, std::string_view outer);
// Calls back for every path below a change at which a value was added, removed or replaced as a whole.
void each_leaf(diff::Path& path, const Value& value, const std::function<void(const diff::Path&, const Value&)>& visit);

class Planner {
 public:
  Planner(const diff::ClusterDiff& diff, diff::Side* before, diff::Side* after, const Server& server)
      : diff_(diff), before_(before), after_(after), server_(server) {}

  ClusterPlan plan();

 private:
  // Whether the owners of machines matter, which requires reading more files. They don't for add-ons and their values,
  // the most frequent changes.
  bool concerns_machines() const;
  Action whole_cluster(const MachineCount& machines) const;
  // The tool that applies the tree may ask before it deletes, or may orphan the object.
  void add_deletion(Action& action) const;
  // Whether no rule reads the changed objects, such as Applications and the values of add-ons. These are the most
  // frequent changes, and skip reading files again.
  bool is_harmless(const ClusterPlan& plan) const;
  static bool may_break_rules(const diff::ObjectPair& pair);

  // ---- one object ----
  void plan_pair(const diff::ObjectPair& pair);
  void created(const diff::Object& object);
  void removed(const diff::Object& object);
  void add_new_name(const MachineSet& gone, bool goes, std::string& note) const;
  // Of a Cluster that a tool deletes together with what Cluster API needs to delete its machines.
  void add_cluster_first(const diff::Object& cluster, std::string& note, std::vector<std::string>& first) const;
  // Machines that are created or deleted with a Cluster, and have no actions of their own.
  MachineCount machines_besides(const diff::Object& cluster, const Machines& machines) const;
  // Whether a Cluster that stays refers to the object.
  bool is_needed(const diff::Object& object) const;
  // What stays or comes and uses the Secret: makes it, as an ExternalSecret does, or names it in its spec; null:
  // nothing.
  const diff::Object* user_of(const diff::Object& secret) const;
  // Drops commands that would delete what a cluster needs, or that belong to a rejected change of the Cluster.
  void withhold_commands();
  // Objects that a new tombstone deletes although they left the tree in an earlier change.
  void plan_tombstones();
  // A template under a new name: the effect depends on the objects that refer to it, if any.
  void renamed(const diff::ObjectPair& pair);

  // ---- what the server refuses ----
  bool refused(const diff::ObjectPair& pair);
  bool refused_topology(const diff::ObjectPair& pair);
  // Says what happens to the pools of a control plane that stays as it was.
  void plan_beside_refused();
  void plan_beside_refused(const MachineSet& plane);
  void add_refusal(const diff::ObjectPair& pair, const crd::Refusal& refusal, const KindEffects* known,
                   Drafts::Draft& draft);

  // ---- one change ----
  void plan_change(const diff::ObjectPair& pair, const diff::Change& change, const KindEffects* known);
  // Marks which machines are replaced.
  static void mark(const FieldEffect* entry, Drafts::Draft& draft);
  // A MachineDeployment selects its machines by labels: machines that no longer match are orphaned.
  static void leave_first_set(const diff::ObjectPair& pair, Drafts::Draft& draft);
  // Changes that were held back take effect when the object is no longer paused.
  void resume(const diff::ObjectPair& pair, const diff::Change& change, const KindEffects& known);
  // Another API version may name fields differently, so the effect of their changes is unknown.
  void plan_conversion(const diff::ObjectPair& pair, const diff::Change& change, const KindEffects* known);
  void add_effect(const diff::ObjectPair& pair, const diff::Change& change, const KindEffects* known,
                  const FieldEffect* entry);
  // The first matching entry of the kind among the objects that mention this one, ordered from most to fewest
  // replacements.
  const FieldEffect* reader_of(const diff::Object& object, const KindEffects& known) const;

  // ---- add-ons with another delivery ----
  bool has_pair(diff::ObjectPair::Kind kind, KindEffects::Role role) const;
  // The new release of an add-on whose release leaves the tree while its Cluster stays; null: none.
  const diff::Object* successor_of(const diff::Object& release) const;
  void add_successor(const diff::Object& release, const diff::Object& successor, const Fate& fate, Drafts::Draft& draft,
                     std::string& note) const;

  // Of an ExternalSecret that makes the Secret by which Argo CD reaches the cluster.
  void add_registration(const diff::Object& object, std::string& note) const;

  // ---- values of add-ons ----
  // Applications that refer to the file.
  static std::vector<const diff::Object*> releases_with(const diff::Object& file, diff::Side& side);
  void add_values(const diff::ObjectPair& pair, const diff::Change& change);
  void add_values(const diff::Object& file);

  // ---- clusters of a ClusterClass ----
  MachineCount topology_machines(const diff::Object& cluster) const;
  // Pools that are added to or removed from `spec.topology`. The topology controller itself deletes them.
  void plan_topologies();
  // Plans a change of `spec.topology`; returns false for other changes.
  bool plan_topology_change(const diff::ObjectPair& pair, const diff::Change& change);
  void add_to_set(const diff::ObjectPair& pair, const diff::Change& change, const FieldEffect* entry,
                  const MachineSet& set);
  // A template of a class: the topology controller compares contents, whether the name changes or not.
  void plan_class_template(const diff::ObjectPair& pair, const KindEffects* known);
  // A class, or a template of one, under a new name; returns false for other objects.
  bool renamed_of_class(const diff::ObjectPair& pair);
  // The infrastructure cluster that the topology controller updates from a changed template.
  void plan_infrastructure(const diff::ObjectPair& pair);
  bool add_of_class(const diff::ObjectPair& pair, const diff::Change& change, bool is_spec, const MachineSet& set);
  // A class that refers to another template; returns false for other changes. If only the name differs, no machine is
  // replaced.
  bool plan_class_change(const diff::ObjectPair& pair, const diff::Change& change);

  // ---- targets ----
  // The targets of an effect on an object: the machines that are made from a part of a pool, otherwise the object.
  std::vector<Drafts::Draft*> drafts_of(const diff::Object& object, const KindEffects* known);
  Drafts::Draft& draft_of(const diff::Object& object, const KindEffects* known);
  // For a set of either side.
  Drafts::Draft& draft_of(const MachineSet& set);
  Reason reason_of(const diff::ObjectPair& pair, const diff::Change& change, std::string note,
                   std::string source = {}) const;

  const diff::ClusterDiff& diff_;
  diff::Side* before_;
  diff::Side* after_;
  const Server& server_;
  std::optional<Machines> old_machines_, new_machines_;
  std::optional<Removal> removal_;
  std::vector<const diff::Object*> refused_;  // of the side after
  Drafts drafts_;
};

// Reports a cluster that moves to another namespace as one event, though every object is deleted and created.

// If the Cluster changes its namespace, marks the actions of `plan` that are part of the move, and fills in
// `plan.move`.
void find_move(const diff::ClusterDiff& diff, const diff::Side* before, const diff::Side* after, ClusterPlan& plan);

}  // namespace capwright::plan
