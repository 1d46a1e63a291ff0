// Groups occurrences by the text of their shape; differences between them are then listed, or left out.
#include "diff/shapes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace capwright::diff {
namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

Weight weight_of(ObjectPair::Kind event) {
  switch (event) {
    case ObjectPair::Kind::Added:
    case ObjectPair::Kind::Kept: return Weight::ObjectAdded;
    case ObjectPair::Kind::Removed:
    case ObjectPair::Kind::Dropped: return Weight::ObjectRemoved;
    case ObjectPair::Kind::Renamed: return Weight::Renamed;
    case ObjectPair::Kind::Changed: break;
  }
  return Weight::Changed;
}

// A family under construction.
struct Draft {
  Family family;
  std::map<std::pair<std::string, std::string>, std::size_t> variants;  // by the shapes of their values
  // Occurrences come in the order of clusters and objects.
  Occurrence last;
  std::uint32_t clusters = 0, objects = 0;
};

// Keeps `text` only if all agree on it.
void agree(std::string& text, const std::string& other) {
  if (text != other) text.clear();
}

class Grouping {
 public:
  std::vector<Family> families(const Records<ClusterRecord>& records) {
    for (std::uint32_t i = 0; i < records.size(); ++i) add_cluster(i, records[i]);
    std::vector<Family> families;
    for (auto& [key, draft] : drafts_) families.push_back(finished(draft));
    std::stable_sort(families.begin(), families.end(), [](const Family& a, const Family& b) {
      return std::make_tuple(a.weight, ~a.clusters, ~a.objects) < std::make_tuple(b.weight, ~b.clusters, ~b.objects);
    });
    return families;
  }

 private:
  using Key = std::tuple<Weight, ObjectPair::Kind, std::string, std::string, std::string, Change::Kind, bool>;

  void add_cluster(std::uint32_t number, const ClusterRecord& record) {
    if (!record.differs) return;
    if (record.kind != ClusterDiff::Kind::Changed) {
      const Weight weight = record.kind == ClusterDiff::Kind::Added ? Weight::ClusterAdded : Weight::ClusterRemoved;
      Draft& draft = drafts_[{weight, {}, {}, {}, {}, {}, false}];
      draft.family.weight = weight;
      note(draft, {number, 0, 0}, record.cluster, {}, {});
      draft.objects = 0;
      return;
    }
    for (std::uint32_t i = 0; i < record.objects.size(); ++i) {
      if (record.objects[i].counts) add_object(record, number, i);
    }
  }

  void add_object(const ClusterRecord& record, std::uint32_t cluster, std::uint32_t number) {
    const ObjectRecord& object = record.objects[number];
    bool told = false;
    for (std::uint32_t i = 0; i < object.changes.size(); ++i) {
      const ChangeRecord& change = object.changes[i];
      const bool explains = object.event == ObjectPair::Kind::Renamed && change.kind == Change::Kind::Format;
      if (!change.counts() && !explains) continue;
      add_change(record, {cluster, number, i});
      told = true;
    }
    if (told) return;
    Draft& draft = draft_of(record, object, nullptr);
    note(draft, {cluster, number, 0}, record.cluster, {}, {});
  }

  void add_change(const ClusterRecord& record, const Occurrence& at) {
    const ObjectRecord& object = record.objects[at.object];
    const ChangeRecord& change = object.changes[at.change];
    Draft& draft = draft_of(record, object, &change);
    note(draft, at, record.cluster, change.before, change.after);
  }

  Draft& draft_of(const ClusterRecord& record, const ObjectRecord& object, const ChangeRecord* change) {
    const std::string& own_name = object.base.empty() ? object.name : object.base;
    const std::string name = without_name(own_name, record.cluster);
    const std::string kind = object.kind.empty() ? name : object.kind;
    const std::string shape = change != nullptr ? without_name(change->shape, record.cluster) : "";
    const std::string path = change != nullptr ? without_name(change->path, record.cluster) : "";
    const Change::Kind how = change != nullptr ? change->kind : Change::Kind::Replace;
    const bool secret = change != nullptr && change->secret;
    const Weight weight = weight_of(object.event);
    const auto [found, is_new] = drafts_.try_emplace({weight, object.event, object.group, kind, shape, how, secret});
    Family& family = found->second.family;
    if (is_new) {
      family = {weight, object.event, kind, object.kind.empty() ? "" : name, path, how, secret, {}, {}, 0, 0};
      if (change != nullptr) family.maker = change->maker;
      return found->second;
    }
    agree(family.name, object.kind.empty() ? "" : name);
    if (family.path != path) family.path = shape;
    if (change != nullptr) {
      agree(family.maker.template_place, change->maker.template_place);
      agree(family.maker.value_place, change->maker.value_place);
    }
    return found->second;
  }

  static void note(Draft& draft, const Occurrence& at, const std::string& cluster, const ShownValue& before,
                   const ShownValue& after) {
    const bool secret = draft.family.secret;
    const auto key = secret ? std::make_pair(std::string(), std::string())
                            : std::make_pair(without_name(before.json, cluster), without_name(after.json, cluster));
    const auto [found, is_new] = draft.variants.try_emplace(key, draft.family.variants.size());
    if (is_new) draft.family.variants.push_back({before, after, {}});
    Variant& variant = draft.family.variants[found->second];
    for (const auto& [shown, other] : {std::make_pair(&variant.before, &before), {&variant.after, &after}}) {
      if (secret && shown->size != other->size) shown->size = 0;
      if (secret || shown->json == other->json) continue;
      shown->json = without_name(other->json, cluster);
      shown->text = without_name(other->text, cluster);
    }
    variant.occurrences.push_back(at);
    const bool is_new_cluster = draft.clusters == 0 || at.cluster != draft.last.cluster;
    if (is_new_cluster) ++draft.clusters;
    if (is_new_cluster || at.object != draft.last.object) ++draft.objects;
    draft.last = at;
  }

  static Family finished(Draft& draft) {
    Family family = std::move(draft.family);
    family.clusters = draft.clusters;
    family.objects = draft.objects;
    std::stable_sort(family.variants.begin(), family.variants.end(),
                     [](const Variant& a, const Variant& b) { return a.occurrences.size() > b.occurrences.size(); });
    return family;
  }

  std::map<Key, Draft> drafts_;
};

}  // namespace

std::string without_name(std::string_view text, std::string_view cluster) {
  std::string shape;
  if (cluster.empty()) return std::string(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = text.find(cluster, at);
    if (found == std::string_view::npos) return shape.append(text.substr(at));
    const std::size_t end = found + cluster.size();
    const bool is_whole = (found == 0 || !is_word(text[found - 1])) && (end == text.size() || !is_word(text[end]));
    shape.append(text.substr(at, found - at));
    shape.append(is_whole ? "<cluster>" : cluster);
    at = end;
  }
  return shape;
}

std::vector<Family> families_of(const Records<ClusterRecord>& records) { return Grouping().families(records); }

}  // namespace capwright::diff
