// Groups the changes of a fleet by their shape: a change that a thousand clusters share is reported once.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "diff/packed.h"
#include "diff/record.h"

namespace capwright::diff {

// Ordered by what a reviewer must see first.
enum class Weight : std::uint8_t { ClusterRemoved, ObjectRemoved, Renamed, Changed, ObjectAdded, ClusterAdded };

// Where a change is: indices into the records and their contents.
struct Occurrence {
  std::uint32_t cluster = 0, object = 0, change = 0;
};

// Equal values before and after, apart from the name of the cluster in them.
struct Variant {
  ShownValue before, after;  // with `<cluster>` where the clusters have different names
  std::vector<Occurrence> occurrences;
};

// One kind of change at one path of one kind of object.
struct Family {
  Weight weight = Weight::Changed;
  ObjectPair::Kind event = ObjectPair::Kind::Changed;
  std::string kind;  // of the objects; for files without a kind, a path in the cluster's directory
  std::string name;  // with `<cluster>`; empty when the objects have several names
  std::string path;  // the path if all share it, otherwise its shape; empty: the objects as a whole
  Change::Kind change = Change::Kind::Replace;
  bool secret = false;
  ShownMaker maker;               // if all share it
  std::vector<Variant> variants;  // most frequent first
  std::uint32_t clusters = 0, objects = 0;
};

// `text` with `<cluster>` for every whole word that equals the cluster's name.
std::string without_name(std::string_view text, std::string_view cluster);

// Most severe first, then most frequent. Added and removed clusters are one family each, with empty `path` and `kind`.
std::vector<Family> families_of(const Records<ClusterRecord>& records);

}  // namespace capwright::diff
