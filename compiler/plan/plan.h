// The effects of a change on a cluster: actions with their reasons. Owns its texts: nothing points into the two sides,
// and no text contains a byte of a secret.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/record.h"

namespace capwright::plan {

// Most severe first.
enum class Verb : std::uint8_t {
  Delete,
  Orphan,  // leaves the tree, or loses its owner, and keeps running
  Rejected,
  Blocked,  // the controllers wait: paused, or a preflight check fails
  Unknown,
  Upgrade,
  Roll,
  Scale,
  Create,
  Sync,
  InPlace,
  NoOp,
};

// "delete", "in-place" …, as in options and machine-readable reports.
std::string_view verb_name(Verb verb);
std::optional<Verb> verb_of(std::string_view name);

// A number of machines, as far as manifests determine it: an autoscaler stays within its limits, and a cloud may not
// publish it.
struct MachineCount {
  std::int64_t least = 0;
  std::optional<std::int64_t> most = 0;  // empty: no upper limit is known

  static MachineCount of(std::int64_t exact) { return {exact, exact}; }
  static MachineCount unknown() { return {0, std::nullopt}; }

  bool is_exact() const { return most == least; }
  // Whether it can be more than 0.
  bool is_some() const { return most != 0; }
  MachineCount& operator+=(const MachineCount& other);
};
// "3", "3 to 10", "3 or more".
std::string text_of(const MachineCount& count);

// What an action acts on.
struct Target {
  enum class Kind : std::uint8_t { Cluster, ControlPlane, Pool, Release, Object };
  Kind kind = Kind::Object;
  std::string object;       // the kind of the object; empty for a file that has none
  std::string space, name;  // of the object; the name without the digest of a template's spec
};
// "cluster", "control-plane" …, as in options and machine-readable reports.
std::string_view target_name(Target::Kind kind);
// Human-readable: "cluster", "control plane", "pool prod-a-general", "add-on cilium", "Secret cloud-config".
std::string text_of(const Target& target);

// A change that causes an action.
struct Reason {
  std::string object = {}, name = {};  // kind and name (as in Target) of the changed object
  diff::ChangeRecord change = {};      // `path` is empty for the object as a whole
  std::string note = {};               // from the catalogue or the server; may be empty
  std::string source = {};             // the source of the note
};

struct Action {
  Verb verb = Verb::NoOp;
  Target target;
  MachineCount machines;        // created, removed or replaced; of Orphan, that keep running; of Blocked, that wait
  std::string from, to;         // of Scale, Upgrade and Sync; may be empty
  std::string by;               // the controller that acts, or refuses
  std::vector<Reason> reasons;  // empty for Create
  diff::ShownMaker maker = {};  // of Create and Delete: what creates the object, or did before
  std::vector<std::string> commands = {};  // that delete the objects which Orphan leaves running
  std::vector<std::string> first = {};     // commands to run before the change is applied
  std::optional<Target> successor = {};    // of an add-on that leaves the tree: the release that installs it instead
  bool is_part_of_move = false;            // people see it as part of ClusterPlan::move

  bool grows =
      false;  // of Scale: it adds machines; from an autoscaler's limits to a number within them, it may do both
};

struct ClusterPlan {
  diff::ClusterDiff::Kind kind = diff::ClusterDiff::Kind::Changed;
  std::string cluster;
  MachineCount machines;        // before the change; of a new cluster, after it
  std::vector<Action> actions;  // by verb, in the order of the tree
  bool harmless = false;        // no rule of changes can have findings
  // The cluster moves to another namespace, where everything is created again: one Delete from one namespace to the
  // other for all actions that are part of the move, with the machines that are deleted. Counts of actions use those
  // actions.
  std::optional<Action> move = {};
};

// For diff::PackedList.
template <class Archive>
void fields(Archive& archive, MachineCount& count) {
  archive(count.least, count.most);
}
template <class Archive>
void fields(Archive& archive, Target& target) {
  archive(target.kind, target.object, target.space, target.name);
}
template <class Archive>
void fields(Archive& archive, Reason& reason) {
  archive(reason.object, reason.name, reason.change, reason.note, reason.source);
}
template <class Archive>
void fields(Archive& archive, Action& action) {
  archive(action.verb, action.target, action.machines, action.from, action.to, action.by, action.reasons, action.maker,
          action.commands, action.first, action.successor, action.is_part_of_move, action.grows);
}
template <class Archive>
void fields(Archive& archive, ClusterPlan& plan) {
  archive(plan.kind, plan.cluster, plan.machines, plan.actions, plan.harmless, plan.move);
}

}  // namespace capwright::plan
