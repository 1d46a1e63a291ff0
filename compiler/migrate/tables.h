// The conversions between API versions: the tables of schemas/catalogue/migrations/, read once.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "migrate/field_path.h"
#include "value/value.h"

namespace capwright::migrate {

// One change of a field. README.md of the tables explains the keys.
struct Move {
  enum class Kind : std::uint8_t {
    Move,     // the value goes to another path
    Copy,     // it goes there, too
    Drop,     // the field has no successor and no effect
    ToList,   // {key: value} becomes [{<name>: key, <value>: value}]
    ToItems,  // [value] becomes [{<name>: value}]
    Wrap,     // the entries of a map go below the key `name`
    Unwrap,   // the entries of a map go into the map around it
    Set,      // the value is replaced by a constant
    Ask,      // only a person can decide
  };
  enum class Unit : std::uint8_t { Same, Seconds, Group, Not, Split, Flags };

  Kind kind = Kind::Move;
  FieldPath from, to;
  Unit unit = Unit::Same;
  std::string_view type;  // only for a value of this type: `string`, `map`, `list`, `true`, `false`, `empty`
  std::optional<FieldPath> has, lacks;    // only if the object has, or lacks, a value there
  std::vector<std::string_view> unless;   // not for a map with one of these keys
  std::string_view name, value;           // keys
  Value constant;                         // of Set
  bool keeps_empty = false;               // of Drop: the map around it stays, even without another entry
  std::string_view because;               // why: of Drop and Ask
  std::vector<std::string_view> choices;  // of Ask
};

// From one version of a kind to the next.
struct Conversion {
  std::string_view group, kind, from, to;
  std::string_view to_kind;  // another kind, only if it is asked for; otherwise `kind`
  std::string_view until;    // the release that no longer serves `from`; may be empty
  std::string_view source;
  std::vector<Move> moves;

  bool changes_kind() const { return to_kind != kind; }
};

// Null if there is none. Of several, the one that keeps the kind, unless `to_kind` names another.
const Conversion* conversion_from(std::string_view group, std::string_view version, std::string_view kind,
                                  std::string_view to_kind = {});
// The conversion of a kind, in any version, to a kind whose name begins with `to_kind`; null if there is none.
const Conversion* conversion_of_kind(std::string_view group, std::string_view kind, std::string_view to_kind);
// All, in the order of the tables.
const std::deque<Conversion>& conversions();

}  // namespace capwright::migrate
