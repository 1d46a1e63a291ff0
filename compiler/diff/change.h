// The result of comparing two sides of a cluster: views into the two sides, not yet converted to text.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "diff/change_path.h"
#include "diff/side.h"

namespace capwright::diff {

struct Change {
  enum class Kind : std::uint8_t {
    Add,
    Remove,
    Replace,  // one value by another: scalars, or values of different kinds
    Reorder,  // the items of a list have another order; both values are the complete list
    Format,   // the same data in another format, inside a text, which may change bytes such as a machine's user data;
              // also another order of sets and maps, and the version of an object that a table converts
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  Kind kind = Kind::Replace;
  Path path;
  Value before, after;             // Null if missing (Add, Remove)
  Span before_where, after_where;  // in the sides' sources; unknown if missing
  bool secret = false;             // must not be shown
  // A reference whose target has a new name: the index of the renamed pair in ClusterDiff::pairs. Not a separate
  // change.
  std::uint32_t follows = kNone;

  bool counts() const { return kind != Kind::Format && follows == kNone; }
};

struct ObjectPair {
  enum class Kind : std::uint8_t {
    Added,
    Removed,
    Changed,
    Renamed,  // a template whose name has another digest, because of `changes`; machines are replaced
    Kept,     // in use before, retired now
    Dropped,  // a retired generation that left the tree
  };
  Kind kind = Kind::Changed;
  const Object* before = nullptr;         // null: Added
  const Object* after = nullptr;          // null: Removed, Dropped
  std::vector<Change> changes;            // for Changed and Renamed: in the order of the object, `before` first
  std::uint32_t follows = Change::kNone;  // for Kept and Dropped: the Renamed pair that is the reason
  std::uint32_t ignored = 0;              // changes that patterns excluded

  const Object& object() const { return after != nullptr ? *after : *before; }
  // Whether a report should show it.
  bool counts() const;
};

// One cluster. Empty when nothing differs; omits pairs without differences.
struct ClusterDiff {
  enum class Kind : std::uint8_t { Changed, Added, Removed };
  Kind kind = Kind::Changed;  // of the whole cluster; if it isn't Changed, all objects are Added or Removed
  std::string cluster;
  std::vector<ObjectPair> pairs;  // in the order of the files on the side after, removed ones last
  std::uint32_t ignored = 0;      // changes and objects that patterns excluded

  // Whether anything counts.
  bool differs() const;
};

}  // namespace capwright::diff
