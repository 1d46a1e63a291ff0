// Doesn't parse files that are equal on both sides: in a fleet, nearly all are.
#include "diff/compare.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "diff/values.h"

namespace capwright::diff {
namespace {

void read_changed(Side& side, const Side& other) {
  for (const SideFile& file : side.files()) {
    const SideFile* there = other.find(file.path);
    if (there == nullptr || side.text(file) != other.text(*there)) side.read(file);
  }
}

Renames renames_of(const std::vector<ObjectPair>& pairs) {
  Renames renames;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].kind != ObjectPair::Kind::Renamed) continue;
    renames.try_emplace({pairs[i].before->kind, pairs[i].before->name}, Rename{pairs[i].after->name, i});
  }
  return renames;
}

const crd::Node* schema_of(const Object& object, const crd::Registry* registry) {
  if (registry == nullptr || object.kind.empty()) return nullptr;
  std::string api_version(object.group);
  if (!api_version.empty()) api_version += '/';
  const crd::KindVersion* kind = registry->find(api_version.append(object.version), object.kind);
  const crd::Schema* schema = kind != nullptr ? registry->schema(*kind) : nullptr;
  return schema != nullptr ? schema->root : nullptr;
}

bool is_ignored(const Object& object, const std::vector<PathPattern>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const PathPattern& pattern) {
    return pattern.is_whole_object() && pattern.matches_object(object.kind, object.name);
  });
}

void drop_ignored(ObjectPair& pair, const std::vector<PathPattern>& patterns) {
  std::vector<const PathPattern*> here;
  for (const PathPattern& pattern : patterns) {
    if (pattern.matches_object(pair.object().kind, pair.object().name)) here.push_back(&pattern);
  }
  if (here.empty()) return;
  const auto ignored = [&](const Change& change) {
    return std::any_of(here.begin(), here.end(), [&](const auto* pattern) { return pattern->matches(change.path); });
  };
  for (const Change& change : pair.changes) pair.ignored += ignored(change) && change.counts() ? 1 : 0;
  std::erase_if(pair.changes, ignored);
}

// Finds the renamed template of each earlier generation.
void find_reasons(std::vector<ObjectPair>& pairs) {
  using Base = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
  const auto base_of = [](const Object& object) { return Base(object.group, object.kind, object.space, object.base); };
  std::map<Base, std::uint32_t> renamed;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].kind == ObjectPair::Kind::Renamed) renamed.emplace(base_of(*pairs[i].after), i);
  }
  for (ObjectPair& pair : pairs) {
    if (pair.kind != ObjectPair::Kind::Kept && pair.kind != ObjectPair::Kind::Dropped) continue;
    const auto reason = renamed.find(base_of(pair.object()));
    if (reason != renamed.end()) pair.follows = reason->second;
  }
}

// Whether there is nothing to report about the pair.
bool is_same(const ObjectPair& pair) { return pair.kind == ObjectPair::Kind::Changed && pair.changes.empty(); }

ClusterDiff whole_cluster(Side& side, ClusterDiff::Kind kind) {
  ClusterDiff diff;
  diff.kind = kind;
  diff.cluster = side.cluster();
  side.read_all();
  for (const Object& object : side.objects()) {
    ObjectPair& pair = diff.pairs.emplace_back();
    const bool added = kind == ClusterDiff::Kind::Added;
    pair.kind = added ? ObjectPair::Kind::Added : ObjectPair::Kind::Removed;
    (added ? pair.after : pair.before) = &object;
  }
  return diff;
}

// Updates indices of pairs after equal ones were removed.
void renumber(std::vector<ObjectPair>& pairs) {
  std::vector<std::uint32_t> numbers;
  std::uint32_t kept = 0;
  for (const ObjectPair& pair : pairs) numbers.push_back(is_same(pair) ? Change::kNone : kept++);
  std::erase_if(pairs, is_same);
  const auto renumbered = [&](std::uint32_t& number) { number = number == Change::kNone ? number : numbers[number]; };
  for (ObjectPair& pair : pairs) {
    renumbered(pair.follows);
    for (Change& change : pair.changes) renumbered(change.follows);
  }
}

}  // namespace

bool ObjectPair::counts() const {
  if (kind == Kind::Kept || kind == Kind::Dropped) return follows == Change::kNone;
  if (kind != Kind::Changed) return true;
  return std::any_of(changes.begin(), changes.end(), [](const Change& change) { return change.counts(); });
}

bool ClusterDiff::differs() const {
  return kind != Kind::Changed || std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return p.counts(); });
}

ClusterDiff compare(Side* before, Side* after, const CompareOptions& options) {
  if (before == nullptr && after == nullptr) return {};
  if (before == nullptr) return whole_cluster(*after, ClusterDiff::Kind::Added);
  if (after == nullptr) return whole_cluster(*before, ClusterDiff::Kind::Removed);
  ClusterDiff diff;
  diff.cluster = after->cluster();
  before->take_existing_names(*after);
  after->take_existing_names(*before);
  read_changed(*before, *after);
  read_changed(*after, *before);
  std::vector<ObjectPair> pairs = match_objects(*before, *after);
  const std::size_t all = pairs.size();
  std::erase_if(pairs, [&](const ObjectPair& pair) { return is_ignored(pair.object(), options.ignore); });
  diff.ignored = static_cast<std::uint32_t>(all - pairs.size());
  const Renames renames = renames_of(pairs);
  for (ObjectPair& pair : pairs) {
    const bool has_both = pair.before != nullptr && pair.after != nullptr;
    if (!has_both || pair.kind == ObjectPair::Kind::Kept) continue;
    find_changes(pair, {*before, *after, renames}, schema_of(*pair.after, options.registry));
    drop_ignored(pair, options.ignore);
    diff.ignored += pair.ignored;
  }
  find_reasons(pairs);
  renumber(pairs);
  diff.pairs = std::move(pairs);
  return diff;
}

}  // namespace capwright::diff
