// What a change of a field does to machines: schemas/catalogue/effects.yaml, read once. What isn't in it is unknown.
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "diff/path.h"
#include "value/value.h"

namespace capwright::plan {

enum class Effect : std::uint8_t {
  NoOp,     // nobody reads it again
  InPlace,  // controllers take it over, and keep the machines
  Sync,     // a release of an add-on is installed anew
  Scale,    // machines are added or removed
  Upgrade,  // machines are replaced by those of another version
  Roll,     // machines are replaced
  Unknown,
};

// An entry of the catalogue.
struct FieldEffect {
  std::vector<diff::PathPattern> at;
  // Values of the object after the change, as texts by their paths; all of them must be so.
  std::vector<std::pair<std::string_view, std::string_view>> when;
  std::string_view reader;  // of `read_by`: the kind of who reads the object
  Effect effect = Effect::Unknown;
  std::string_view note;    // what else there is to know; may be empty
  std::string_view source;  // where it is said
};

struct KindEffects {
  enum class Role : std::uint8_t {
    Object,
    Cluster,
    ControlPlane,  // makes machines, or is a cloud's control plane
    Pool,          // makes machines
    PoolPart,      // what a pool refers to, and what its machines are of
    Template,      // what machines are made from
    Release,       // of an add-on
  };
  Role role = Role::Object;
  std::string_view by;                 // who acts on it: "Cluster API"
  std::string_view replicas, version;  // paths of plain keys; empty: it has none
  bool managed = false;                // a control plane whose machines a cloud keeps to itself
  std::vector<FieldEffect> fields;     // the first that fits counts
  std::vector<FieldEffect> readers;
};

// Null: the catalogue doesn't know the kind.
const KindEffects* effects_of(std::string_view group, std::string_view kind);

// The entry for a path of an object of that kind (null: unknown kind), as it is after the change; null when there is
// none.
const FieldEffect* effect_at(const KindEffects* kind, const diff::Path& path, const Value& object);

// Whether the conditions of an entry hold for an object.
bool applies(const FieldEffect& entry, const Value& object);

// The value at a path of plain keys; null when there is none.
const Value* value_at(const Value& object, std::string_view path);

// "roll", "in-place" …, as the catalogue has them.
std::string_view effect_name(Effect effect);

}  // namespace capwright::plan
