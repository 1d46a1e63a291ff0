// What comparing two sides of a cluster gives, for whoever goes on from it: views into the two sides, nothing rendered
// as text yet.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "diff/path.h"
#include "diff/side.h"

namespace capwright::diff {

struct Change {
  enum class Kind : std::uint8_t {
    Add,
    Remove,
    Replace,  // one value by another; scalars, or values of different kinds
    Reorder,  // the items of a list have another order; both are the whole list
    Format,   // the same data written in another way, inside a text: no difference of its own, but bytes of a machine's
              // user data, say. Also the order of what has none: sets and maps
  };
  static constexpr std::uint32_t kNone = 0xffffffff;

  Kind kind = Kind::Replace;
  Path path;
  Value before, after;             // Null where there is none (Add, Remove)
  Span before_where, after_where;  // in the sides' sources; unknown where there is none
  bool secret = false;             // must not be shown
  // A reference whose object has another name now: the pair in ClusterDiff::pairs that was renamed. No change of its
  // own.
  std::uint32_t follows = kNone;

  bool counts() const { return kind != Kind::Format && follows == kNone; }
};

struct ObjectPair {
  enum class Kind : std::uint8_t {
    Added,
    Removed,
    Changed,
    Renamed,  // a template whose name has another digest; `changes` say why. Machines are replaced
    Kept,     // in use before, an earlier generation now
    Dropped,  // an earlier generation that left the tree
  };
  Kind kind = Kind::Changed;
  const Object* before = nullptr;         // null: Added
  const Object* after = nullptr;          // null: Removed, Dropped
  std::vector<Change> changes;            // of Changed and Renamed: in the order of the object, `before` first
  std::uint32_t follows = Change::kNone;  // of Kept and Dropped: the Renamed pair that is the reason
  std::uint32_t ignored = 0;              // changes that patterns took out

  const Object& object() const { return after != nullptr ? *after : *before; }
  // Whether it is a difference that somebody should see.
  bool counts() const;
};

// One cluster. Empty when nothing differs; pairs without any difference are not listed.
struct ClusterDiff {
  enum class Kind : std::uint8_t { Changed, Added, Removed };
  Kind kind = Kind::Changed;  // of the cluster as a whole; then all objects are Added or Removed
  std::string cluster;
  std::vector<ObjectPair> pairs;  // in the order of the files on the side after, those that are gone last
  std::uint32_t ignored = 0;      // changes and objects that patterns took out

  // Whether anything counts.
  bool differs() const;
};

}  // namespace capwright::diff
