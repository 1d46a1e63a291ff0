// Copies out of the two sides what reports need.
#include "diff/record.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "yaml/write.h"

namespace capwright::diff {
namespace {

// Shows a string without quotes, or as JSON if it could be mistaken for another type.
std::string text_for_people(const Value& value, const std::string& json) {
  if (!value.is(Kind::String)) return json;
  const std::string_view text = value.text();
  const bool is_lines = text.find('\n') != std::string_view::npos;
  const bool is_odd = text.empty() || text.front() == ' ' || text.back() == ' ' || text.front() == '"' ||
                      !resolve_plain(text, ScalarRules::Core).is(Kind::String);
  return !is_lines && is_odd ? json : std::string(text);
}

std::string shown_place(const CompiledCluster& compiled, Span where) {
  if (!where.known()) return {};
  return fmt::format("{}:{}", compiled.sources.path(where.file), compiled.sources.line_col(where).line);
}

// In a file that no render wrote, beside a render: `clusters/prod/extra.yaml:3`. Otherwise empty.
std::string place_by_hand(const Side& side, Span where) {
  if (side.compiled() == nullptr || !where.known()) return {};
  const auto& files = side.files();
  const auto file =
      std::find_if(files.begin(), files.end(), [&](const SideFile& each) { return each.source == where.file; });
  if (file == files.end() || file->rendered != nullptr) return {};
  return fmt::format("{}:{}", side.shown_path(*file), side.sources().line_col(where).line);
}

// A literal is all text between two expressions: the place of the byte `at` in it. Of other segments, the expression.
Span literal_place(const Segment& segment, std::uint32_t at) {
  Span where = segment.where;
  if (segment.literal && at > segment.begin) where.begin = std::min(where.end, where.begin + (at - segment.begin));
  return where;
}

// The bytes of `place` without those that the other side's text begins and ends with, too.
Span changed_part(const Side& side, Span place, const Side& other, Span other_place) {
  const std::string_view now = side.sources().text(place);
  const std::string_view then = other.sources().text(other_place);
  const std::size_t shorter = std::min(now.size(), then.size());
  std::size_t first = 0;
  while (first < shorter && now[first] == then[first]) ++first;
  std::size_t last = 0;
  while (last < shorter - first && now[now.size() - 1 - last] == then[then.size() - 1 - last]) ++last;
  place.end -= static_cast<std::uint32_t>(last);
  place.begin += static_cast<std::uint32_t>(first);
  return place;
}

// Whether `bytes` is the size of a whole scalar without its quotes.
bool is_all_of(std::string_view scalar, std::size_t bytes) {
  const bool is_quoted = scalar.starts_with('"') || scalar.starts_with('\'');
  return bytes + (is_quoted ? 2 : 0) >= scalar.size();
}

// Those with a value that print a byte of `part`; if it is empty, the bytes beside it. Otherwise the template's text
// there, the first one of all with a value, or the first one.
std::vector<const Segment*> makers_of(std::span<const Segment> all, Span part) {
  std::vector<const Segment*> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool ends_before = i + 1 < all.size() && all[i + 1].begin <= part.begin && part.begin != part.end;
    const bool is_left = i + 1 < all.size() && all[i + 1].begin < part.begin;
    const bool begins_after = all[i].begin >= part.end && (part.begin != part.end || all[i].begin > part.end);
    if (all[i].value != OriginId::None && !ends_before && !is_left && !begins_after) found.push_back(&all[i]);
  }
  if (!found.empty()) return found;
  for (std::size_t i = 0; i < all.size() && part.begin != part.end; ++i) {
    const bool contains_begin = i + 1 == all.size() || all[i + 1].begin > part.begin;
    if (contains_begin && all[i].literal) return {&all[i]};
    if (contains_begin) break;
  }
  const auto value =
      std::find_if(all.begin(), all.end(), [](const auto& each) { return each.value != OriginId::None; });
  return {value != all.end() ? &*value : &all.front()};
}

// Whether the values have an input, and at the same path an equal value in `others`, which is null where they end.
bool is_equal(OriginId input, const Value& values, const Value* others) {
  if (values.is(Kind::List)) {
    const std::size_t known = others != nullptr && others->is(Kind::List) ? others->items().size() : 0;
    for (std::size_t i = 0; i < values.items().size(); ++i) {
      if (is_equal(input, values.items()[i], i < known ? &others->items()[i] : nullptr)) return true;
    }
    return false;
  }
  if (values.is(Kind::Map)) {
    return std::any_of(values.entries().begin(), values.entries().end(), [&](const Entry& entry) {
      const Value* other = others != nullptr ? others->find(entry.key.text()) : nullptr;
      return (other != nullptr && entry.key.origin() == input) || is_equal(input, entry.value, other);
    });
  }
  return values.origin() == input && others != nullptr && json_equal(values, *others);
}

std::string listed(const std::set<std::string>& places) {
  std::string text;
  for (const std::string& each : places) text += (text.empty() ? "" : ", ") + each;
  return text;
}

// Who lets an object out, from the inside to the outside.
class Deciders {
 public:
  Deciders(const Object& object, const Side& side) : object_(object), side_(side), compiled_(*side.compiled()) {
    if (const Value* name = compiled_.values.find("cluster_name")) add_leaves(name->origin(), everywhere_);
  }

  // The first line of each file that has a say.
  std::set<std::string> find(FrameId innermost) const {
    for (FrameId id = innermost; id != FrameId::Root;) {
      const RenderFrame& frame = compiled_.trace[static_cast<std::size_t>(id)];
      Places places;
      if (frame.kind == RenderFrame::Kind::Loop) places = of_name();
      if (frame.kind == RenderFrame::Kind::Condition) add_leaves(frame.value, places);
      for (const auto& place : everywhere_) places.erase(place);
      if (!places.empty()) return first_lines(places);
      id = frame.parent;
    }
    return {};
  }

 private:
  using Places = std::set<std::pair<std::string_view, std::uint32_t>>;  // path and line

  static std::set<std::string> first_lines(const Places& places) {
    std::set<std::string> lines;
    std::string_view last;
    for (const auto& [path, line] : places) {
      if (path != last) lines.insert(fmt::format("{}:{}", path, line));
      last = path;
    }
    return lines;
  }

  // Excludes defaults and values of the add-on catalogue: neither was written for this cluster.
  void add_leaves(OriginId value, Places& places) const {
    for (const OriginId leaf : compiled_.origins.leaves(value)) {
      const Origin& origin = compiled_.origins[leaf];
      const bool is_written = origin.kind == Origin::Kind::Input && origin.span.known();
      if (!is_written || SourceSet::is_shared(origin.span.file)) continue;
      places.emplace(compiled_.sources.path(origin.span.file), compiled_.sources.line_col(origin.span).line);
    }
  }

  // Of what an item of a loop gives to the name.
  Places of_name() const {
    Places places;
    const Value* metadata = object_.value.find("metadata");
    const Value* name = metadata != nullptr ? metadata->find("name") : nullptr;
    if (name == nullptr) return places;
    for (const Segment& segment : side_.makers(side_.span(*name))) add_leaves(segment.value, places);
    return places;
  }

  const Object& object_;
  const Side& side_;
  const CompiledCluster& compiled_;
  Places everywhere_;  // where the cluster's name is written, which is in many other values
};

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
    record.maker = is_gone ? maker(*before_, change.before_where, after_, {})
                           : maker(*after_, change.after_where, before_, change.before_where);
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

  // Of several values of a scalar, those in the bytes that differ, and of these the ones that differ from the other
  // side's, as far as it was rendered.
  static ShownMaker maker(const Side& side, Span place, const Side* other, Span other_place) {
    const auto all = side.makers(place);
    if (all.empty()) return {{}, place_by_hand(side, place)};
    std::vector<const Segment*> changed{side.maker(place)};
    if (other != nullptr && other_place.known()) {
      const Span part = changed_part(side, place, *other, other_place);
      // Another text as a whole, such as one of a tree for one with a digest, is due to its first value.
      if (!is_all_of(side.sources().text(place), part.end - part.begin)) changed = makers_of(all, part);
    }
    const CompiledCluster& compiled = *side.compiled();
    const CompiledCluster* others = other != nullptr ? other->compiled() : nullptr;
    std::vector<OriginId> leaves;
    for (const Segment* segment : changed) {
      for (const OriginId leaf : compiled.origins.leaves(segment->value)) leaves.push_back(leaf);
    }
    std::set<std::string> places, same;
    for (const OriginId leaf : leaves) {
      const bool is_same = others != nullptr && leaves.size() > 1 && is_equal(leaf, compiled.values, &others->values);
      (is_same ? same : places).insert(shown_place(compiled, compiled.origins[leaf].span));
    }
    for (std::set<std::string>* each : {&places, &same}) each->erase("");
    const Span printed = literal_place(*changed.front(), place.begin);
    return {shown_place(compiled, printed), listed(places.empty() ? same : places)};
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

ShownMaker maker_of(const Object& object, const Side& side) {
  const auto makers = side.makers(object.where);
  if (makers.empty()) return {{}, place_by_hand(side, object.where)};
  const Segment& first = makers.front();
  const std::set<std::string> places = Deciders(object, side).find(first.frame);
  if (places.empty()) return {};
  return {shown_place(*side.compiled(), literal_place(first, object.where.begin)), listed(places)};
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
