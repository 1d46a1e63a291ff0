// Copies out of the two sides what reports need.
#include "diff/record.h"

#include <fmt/format.h>
#include <set>

#include "yaml/write.h"

namespace capwright::diff {
namespace {

// A string as it is where it can't be taken for anything else; else as JSON.
std::string text_for_people(const Value& value, const std::string& json) {
  if (!value.is(Kind::String)) return json;
  const std::string_view text = value.text();
  const bool is_lines = text.find('\n') != std::string_view::npos;
  const bool is_odd = text.empty() || text.front() == ' ' || text.back() == ' ' || text.front() == '"' ||
                      !resolve_plain(text, ScalarRules::Core).is(Kind::String);
  return !is_lines && is_odd ? json : std::string(text);
}

class Recorder {
 public:
  Recorder(const Side* before, const Side* after) : before_(before), after_(after) {}

  ObjectRecord object(const ObjectPair& pair) const {
    const Object& known = pair.object();
    ObjectRecord record;
    record.event = pair.kind;
    record.group = known.group;
    record.kind = known.kind;
    record.space = known.space;
    record.name = known.name;
    record.base = known.base;
    if (pair.kind == ObjectPair::Kind::Renamed) record.name_before = pair.before->name;
    if (pair.before != nullptr) record.file_before = pair.before->file->path;
    if (pair.after != nullptr) record.file_after = pair.after->file->path;
    record.counts = pair.counts();
    for (const Change& each : pair.changes) record.changes.push_back(change(each));
    return record;
  }

  ChangeRecord change(const Change& change) const {
    ChangeRecord record;
    record.kind = change.kind;
    record.path = text_of(change.path);
    record.shape = shape_of(change.path);
    record.secret = change.secret;
    record.follows = change.follows != Change::kNone;
    if (change.kind != Change::Kind::Add) record.before = value(change.before, change.secret);
    if (change.kind != Change::Kind::Remove) record.after = value(change.after, change.secret);
    if (change.before_where.known()) record.line_before = before_->sources().line_col(change.before_where).line;
    if (change.after_where.known()) record.line_after = after_->sources().line_col(change.after_where).line;
    const bool is_gone = change.kind == Change::Kind::Remove;
    record.maker = is_gone ? maker(*before_, change.before_where) : maker(*after_, change.after_where);
    return record;
  }

 private:
  static ShownValue value(const Value& value, bool secret) {
    ShownValue shown;
    shown.exists = true;
    const std::string json = canonical_json(value);
    shown.size = value.is(Kind::String) ? value.text().size() : json.size();
    if (secret) return shown;
    shown.text = text_for_people(value, json);
    shown.json = json;
    return shown;
  }

  static ShownMaker maker(const Side& side, Span place) {
    const Segment* segment = side.maker(place);
    if (segment == nullptr) return {};
    const CompiledCluster& compiled = *side.compiled();
    const auto shown = [&](Span where) {
      return where.known()
                 ? fmt::format("{}:{}", compiled.sources.path(where.file), compiled.sources.line_col(where).line)
                 : std::string();
    };
    ShownMaker made{shown(segment->where), {}};
    std::set<std::string> places;
    for (const OriginId leaf : compiled.origins.leaves(segment->value))
      places.insert(shown(compiled.origins[leaf].span));
    places.erase("");
    for (const std::string& each : places) made.value_place += (made.value_place.empty() ? "" : ", ") + each;
    return made;
  }

  const Side* before_;
  const Side* after_;
};

}  // namespace

ClusterRecord record_of(const ClusterDiff& diff, const Side* before, const Side* after) {
  ClusterRecord record;
  record.kind = diff.kind;
  record.cluster = diff.cluster;
  record.ignored = diff.ignored;
  record.differs = diff.differs();
  const Recorder recorder(before, after);
  for (const ObjectPair& pair : diff.pairs) record.objects.push_back(recorder.object(pair));
  return record;
}

ChangeRecord record_of(const Change& change, const Side* before, const Side* after) {
  return Recorder(before, after).change(change);
}

std::string_view event_name(ObjectPair::Kind event) {
  switch (event) {
    case ObjectPair::Kind::Added: return "added";
    case ObjectPair::Kind::Removed: return "removed";
    case ObjectPair::Kind::Changed: return "changed";
    case ObjectPair::Kind::Renamed: return "renamed";
    case ObjectPair::Kind::Kept: return "kept";
    case ObjectPair::Kind::Dropped: return "dropped";
  }
  return "";
}

std::string_view change_name(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::Add: return "add";
    case Change::Kind::Remove: return "remove";
    case Change::Kind::Replace: return "replace";
    case Change::Kind::Reorder: return "reorder";
    case Change::Kind::Format: return "format";
  }
  return "";
}

}  // namespace capwright::diff
