// What a change of a field does to machines: schemas/catalogue/effects.yaml, read once. Unlisted fields are unknown.
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "diff/change_path.h"
#include "value/value.h"

namespace capwright::plan {

enum class Effect : std::uint8_t {
  NoOp,       // controllers don't read it again
  InPlace,    // controllers take it over, and keep the machines
  Sync,       // a release of an add-on is installed again
  Scale,      // machines are added or removed
  Upgrade,    // machines are replaced by those of another version
  Roll,       // machines are replaced
  Rejected,   // a webhook refuses the change
  SecondSet,  // a second set of machines is made, and nothing owns the first one
  Unknown,
};

// Which machines of an owner a Roll or Upgrade replaces. `kubeadm init` makes the first machine of a control plane; it
// never read what the others joined with. Once the first machine was replaced, all machines are joined ones.
enum class MachineScope : std::uint8_t { All, Joined, First };

// An entry of the catalogue.
struct FieldEffect {
  std::vector<diff::PathPattern> at;
  // Values of the object after the change, as texts by their paths; all of them must be so.
  std::vector<std::pair<std::string_view, std::string_view>> when;
  std::string_view reader;         // of `read_by`: the kind of who reads the object
  std::string_view default_value;  // only for a field that comes or goes with this value
  MachineScope machines = MachineScope::All;
  Effect effect = Effect::Unknown;
  std::string_view note;    // details for the reader; may be empty
  std::string_view source;  // where it is said
};

struct KindEffects {
  enum class Role : std::uint8_t {
    Object,
    Cluster,
    ControlPlane,  // makes machines, or is a cloud's control plane
    Pool,          // makes machines
    PoolPart,      // a pool refers to it; it describes the pool's machines
    Template,      // machines are created from it
    Release,       // of an add-on
  };
  Role role = Role::Object;
  std::string_view by;                 // who acts on it: "Cluster API"
  std::string_view replicas, version;  // paths of plain keys; empty: it has none
  bool managed = false;                // a control plane whose machines a cloud keeps to itself
  bool clamps = false;                 // a webhook keeps an autoscaled number within the limits of the autoscaler
  std::string_view paused;             // path of a boolean that holds rollouts; empty: it has none
  std::string_view owner;              // kind that controllers make the owner of its objects; empty: none
  std::string_view finalizer;          // without it, what an object applied stays when the object is deleted
  std::string_view keep;               // command that keeps what a release installed when it is deleted; empty: none
  std::string_view why_not_kept;       // why there is none
  std::string_view adopts;             // kind that controllers make the owner of what its objects refer to
  std::vector<FieldEffect> fields;     // the first that fits counts
  std::vector<FieldEffect> readers;
};

// How a tool that applies the tree treats objects that leave it: `deliveries` of the catalogue.
struct DeliveryEffects {
  std::string_view name;           // of the tool: "Argo CD"
  bool deletes = false;            // what leaves the tree
  bool applies_all = false;        // or nothing: it asks the API server about every object before it applies the first
  bool spares_owned = false;       // but nothing that has an ownerReference
  bool reads_tombstones = false;   // which then delete it after all
  std::string_view options;        // annotation with options; empty: there are none
  std::string_view keeps, asks;    // options that keep an object, and that ask before it is deleted
  std::string_view why_kept;       // why an object stays
  std::string_view hold;           // command that keeps a live object from being deleted with the tree
  std::string_view cluster_first;  // why a Cluster is deleted before the change is applied; empty: it needn't be
  std::string_view why_folder_kept;  // why all stays when a cluster's whole folder goes; empty: it is deleted
};
const DeliveryEffects& effects_of(std::string_view delivery);

// Null: the catalogue doesn't know the kind.
const KindEffects* effects_of(std::string_view group, std::string_view kind);

// The entry for a path of an object of that kind (null: unknown kind), as it is after the change; null when there is
// none. `only`: the value of a field that is on one side only; else null.
const FieldEffect* effect_at(const KindEffects* kind, const diff::Path& path, const Value& object,
                             const Value* only = nullptr);

// Whether the conditions of an entry hold for an object.
bool applies(const FieldEffect& entry, const Value& object);

// The value at a path of plain keys; null when there is none.
const Value* value_at(const Value& object, std::string_view path);

// "roll", "in-place" …, as the catalogue has them.
std::string_view effect_name(Effect effect);

}  // namespace capwright::plan
