// What a change does to a cluster: actions, each with its reasons. Texts only: nothing points into the two sides, and
// no text has a byte of a secret.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diff/record.h"

namespace capwright::plan {

// What happens, the most severe first.
enum class Verb : std::uint8_t {
  Delete,
  Orphan,  // it leaves the tree, or loses its owner, and keeps running
  Rejected,
  Blocked,  // the controllers wait: it is paused, or a preflight check fails
  Unknown,
  Upgrade,
  Roll,
  Scale,
  Create,
  Sync,
  InPlace,
  NoOp,
};

// "delete", "in-place" …, as options and reports for programs have them.
std::string_view verb_name(Verb verb);
std::optional<Verb> verb_of(std::string_view name);

// How many machines, as far as manifests say: an autoscaler keeps to its limits, a cloud may tell nobody.
struct MachineCount {
  std::int64_t least = 0;
  std::optional<std::int64_t> most = 0;  // nothing: nobody says

  static MachineCount of(std::int64_t exact) { return {exact, exact}; }
  static MachineCount unknown() { return {0, std::nullopt}; }

  bool is_exact() const { return most == least; }
  // Whether there may be any.
  bool is_some() const { return most != 0; }
  MachineCount& operator+=(const MachineCount& other);
};
// "3", "3 to 10", "3 or more".
std::string text_of(const MachineCount& count);

// To what.
struct Target {
  enum class Kind : std::uint8_t { Cluster, ControlPlane, Pool, Release, Object };
  Kind kind = Kind::Object;
  std::string object;       // the kind of the object; empty for a file that has none
  std::string space, name;  // of the object; the name without the digest of a template's spec
};
// "cluster", "control-plane" …, as options and reports for programs have them.
std::string_view target_name(Target::Kind kind);
// For people: "cluster", "control plane", "pool prod-a-general", "add-on cilium", "Secret cloud-config".
std::string text_of(const Target& target);

// A change that is why.
struct Reason {
  std::string object = {}, name = {};  // kind and name (as Target has it) of the object that it is in
  diff::ChangeRecord change = {};      // `path` is empty when it is the object as a whole
  std::string note = {};               // what the catalogue or the server says to it; may be empty
  std::string source = {};             // who says so
};

struct Action {
  Verb verb = Verb::NoOp;
  Target target;
  MachineCount machines;  // that are made, removed or replaced; of Orphan, that keep running; of Blocked, that wait
  std::string from, to;   // of Scale, Upgrade and Sync; may be empty
  std::string by;         // who does it, or refuses it
  std::vector<Reason> reasons;             // of Create none
  diff::ShownMaker maker = {};             // of Create and Delete: what lets the object out, or did
  std::vector<std::string> commands = {};  // that delete what Orphan leaves
  bool is_part_of_move = false;            // ClusterPlan::move says it for people

  // Whether a Scale adds machines.
  bool grows() const { return from.size() < to.size() || (from.size() == to.size() && from < to); }
};

struct ClusterPlan {
  diff::ClusterDiff::Kind kind = diff::ClusterDiff::Kind::Changed;
  std::string cluster;
  MachineCount machines;        // that it has before the change; of one that is new, after it
  std::vector<Action> actions;  // by verb, in the order of the tree
  bool harmless = false;        // no rule of changes can have something to say to it
  // The cluster goes to another namespace, where everything is made anew: all actions that are part of it, as one
  // Delete from one namespace to the other, with the machines that go. Who counts actions counts those.
  std::optional<Action> move = {};
};

}  // namespace capwright::plan
