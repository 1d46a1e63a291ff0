// The comparison of one cluster as texts, which outlives the sides: the input of reports. No text contains a byte of a
// secret.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "diff/change.h"

namespace capwright::diff {

// A value of one side.
struct ShownValue {
  bool exists = false;
  std::string json;        // one line; empty for a secret
  std::string text;        // human-readable: strings without quotes where unambiguous; empty for a secret
  std::uint64_t size = 0;  // bytes of a string, otherwise of the JSON
};

// The origin of the value after the change (before it, if there is none after). Empty: unknown.
struct ShownMaker {
  std::string template_place;  // `templates/capo/cluster.yaml.j2:12`
  std::string value_place;     // `values/prod.yaml:7`; all of them for a text from several values
};

struct ChangeRecord {
  Change::Kind kind = Change::Kind::Replace;
  std::string path, shape;  // text_of(), shape_of()
  ShownValue before, after;
  bool secret = false;
  bool follows = false;                           // Change::follows
  std::uint32_t line_before = 0, line_after = 0;  // in the files of the object; 0: none
  ShownMaker maker;

  bool counts() const { return kind != Change::Kind::Format && !follows; }
};

struct ObjectRecord {
  ObjectPair::Kind event = ObjectPair::Kind::Changed;
  std::string group, kind, space, name;
  std::string name_before;              // for Renamed
  std::string base;                     // of names with a digest
  std::string file_before, file_after;  // relative to the cluster's directory
  bool counts = false;
  std::vector<ChangeRecord> changes;
};

struct ClusterRecord {
  ClusterDiff::Kind kind = ClusterDiff::Kind::Changed;
  std::string cluster;
  std::string called;  // the name in reports; empty: `cluster`
  std::vector<ObjectRecord> objects;
  std::uint32_t ignored = 0;
  bool differs = false;

  const std::string& title() const { return called.empty() ? cluster : called; }
};

// For PackedList.
template <class Archive>
void fields(Archive& archive, ShownValue& value) {
  archive(value.exists, value.json, value.text, value.size);
}
template <class Archive>
void fields(Archive& archive, ShownMaker& maker) {
  archive(maker.template_place, maker.value_place);
}
template <class Archive>
void fields(Archive& archive, ChangeRecord& change) {
  archive(change.kind, change.path, change.shape, change.before, change.after, change.secret, change.follows,
          change.line_before, change.line_after, change.maker);
}
template <class Archive>
void fields(Archive& archive, ObjectRecord& object) {
  archive(object.event, object.group, object.kind, object.space, object.name, object.name_before, object.base,
          object.file_before, object.file_after, object.counts, object.changes);
}
template <class Archive>
void fields(Archive& archive, ClusterRecord& record) {
  archive(record.kind, record.cluster, record.called, record.objects, record.ignored, record.differs);
}

ClusterRecord record_of(const ClusterDiff& diff, const Side* before, const Side* after);
ChangeRecord record_of(const Change& change, const Side* before, const Side* after);

// The template line that starts the object, and the values of the nearest condition around it or of its name in a loop,
// on a side rendered with Traces::Control. Empty: unknown, or it depends on the template alone.
ShownMaker maker_of(const Object& object, const Side& side);

// "added", "kept" …, as in machine-readable reports.
std::string_view event_name(ObjectPair::Kind event);
std::string_view change_name(Change::Kind kind);

}  // namespace capwright::diff
