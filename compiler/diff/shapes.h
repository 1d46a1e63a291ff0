// Changes of a fleet by their shape: what a thousand clusters have in common is said once.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "diff/record.h"

namespace capwright::diff {

// What a reviewer has to see first.
enum class Weight : std::uint8_t { ClusterRemoved, ObjectRemoved, Renamed, Changed, ObjectAdded, ClusterAdded };

// Where one change is: numbers in the records, and in what they hold.
struct Occurrence {
  std::uint32_t cluster = 0, object = 0, change = 0;
};

// Equal values before and after, but that the name of the cluster may be in them.
struct Variant {
  ShownValue before, after;  // with `<cluster>` where the clusters have other names there
  std::vector<Occurrence> occurrences;
};

// One kind of change at one path of one kind of object.
struct Family {
  Weight weight = Weight::Changed;
  ObjectPair::Kind event = ObjectPair::Kind::Changed;
  std::string kind;  // of the objects; a path in the cluster's directory for what has no kind
  std::string name;  // with `<cluster>`; empty when the objects have several
  std::string path;  // as all have it, else its shape; empty: the objects as a whole
  Change::Kind change = Change::Kind::Replace;
  bool secret = false;
  ShownMaker maker;               // as all have it
  std::vector<Variant> variants;  // the most frequent first
  std::uint32_t clusters = 0, objects = 0;
};

// `text` with `<cluster>` for every whole word that is the cluster's name.
std::string without_name(std::string_view text, std::string_view cluster);

// Most severe first, then the most frequent. Clusters that came or went are one family each, whatever is in them;
// `path` and `kind` are empty then.
std::vector<Family> families_of(std::span<const ClusterRecord> records);

}  // namespace capwright::diff
