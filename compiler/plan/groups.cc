// Groups actions by the text of what they share.
#include "plan/groups.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "diff/shapes.h"

namespace capwright::plan {
namespace {

// Counts clusters, which are added in their order.
class ClusterCount {
 public:
  void add(std::uint32_t cluster) {
    if (count_ != 0 && cluster == last_) return;
    last_ = cluster;
    ++count_;
  }
  std::uint32_t count() const { return count_; }

 private:
  std::uint32_t last_ = 0, count_ = 0;
};

// A group under construction.
struct Draft {
  Group group;
  std::map<std::string, std::size_t> variants;  // by the text of their values
  std::vector<ClusterCount> clusters_of_variants;
  ClusterCount clusters;
};

// The changed fields that are the reasons, whatever their values.
std::string fields_of(const Action& action, const std::string& cluster) {
  std::string text;
  for (const Reason& reason : action.reasons) {
    text.append(reason.object).append("\n");
    text.append(diff::without_name(reason.change.shape, cluster)).append("\n");
    text.append(diff::change_name(reason.change.kind)).append("\n").append(reason.note).append("\n");
  }
  return text;
}

// The values of these fields.
std::string values_of(const Action& action, const std::string& cluster) {
  std::string text;
  for (const Reason& reason : action.reasons) {
    if (reason.change.secret) continue;
    text.append(diff::without_name(reason.change.before.json, cluster)).append("\n");
    text.append(diff::without_name(reason.change.after.json, cluster)).append("\n");
  }
  return text;
}

Reason without_name(Reason reason, const std::string& cluster) {
  reason.name = diff::without_name(reason.name, cluster);
  reason.change.path = diff::without_name(reason.change.path, cluster);
  for (diff::ShownValue* value : {&reason.change.before, &reason.change.after}) {
    value->text = diff::without_name(value->text, cluster);
    value->json = diff::without_name(value->json, cluster);
  }
  return reason;
}

// Adds to a sorted list.
void add_name(std::vector<std::string>& names, const std::string& name) {
  const auto at = std::lower_bound(names.begin(), names.end(), name);
  if (at == names.end() || *at != name) names.insert(at, name);
}

// Keeps the text only if all agree on it.
void agree(std::string& text, const std::string& other) {
  if (text != other) text.clear();
}

// Each cluster has its values in a file of its own, so the first one is an example.
void agree_on_values(std::string& place, const std::string& other) {
  constexpr std::string_view kOthers = " and others";
  if (place == other || place.empty() || place.ends_with(kOthers)) return;
  if (other.empty()) place.clear();
  else place += kOthers;
}

void agree(diff::ShownMaker& known, const diff::ShownMaker& other) {
  agree(known.template_place, other.template_place);
  agree_on_values(known.value_place, other.value_place);
}

// `other` belongs to `cluster`. Copies only what is compared.
void agree(Reason& known, const Reason& other, const std::string& cluster) {
  agree(known.name, diff::without_name(other.name, cluster));
  if (known.change.path != diff::without_name(other.change.path, cluster)) known.change.path = known.change.shape;
  agree(known.change.maker, other.change.maker);
}

class Grouping {
 public:
  std::vector<Group> groups(const diff::Records<ClusterPlan>& plans) {
    for (std::uint32_t i = 0; i < plans.size(); ++i) {
      const ClusterPlan plan = plans[i];
      if (plan.move) add({i, Place::kMove}, *plan.move, plan.cluster);
      for (std::uint32_t j = 0; j < plan.actions.size(); ++j) {
        const Action& action = plan.actions[j];
        if (!action.is_part_of_move) add({i, j}, action, plan.cluster);
      }
    }
    std::vector<Group> groups;
    for (auto& [key, draft] : drafts_) groups.push_back(finished(draft));
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
      return std::make_tuple(a.verb, -a.machines.least, ~a.clusters, a.target) <
             std::make_tuple(b.verb, -b.machines.least, ~b.clusters, b.target);
    });
    return groups;
  }

 private:
  using Key = std::tuple<Verb, bool, Target::Kind, std::string, std::string>;

  void add(const Place& place, const Action& action, const std::string& cluster) {
    const bool is_move = place.action == Place::kMove;
    const std::string name = diff::without_name(action.target.name, cluster);
    const bool has_fields = !action.reasons.empty();
    const bool is_by_kind = action.target.kind == Target::Kind::Object || !has_fields;  // else fields suffice
    // Add-ons that leave the tree share a line, as with the same changed fields.
    const bool leaves = action.verb == Verb::Delete || action.verb == Verb::Orphan || action.verb == Verb::NoOp;
    const bool shares_line = leaves && action.target.kind == Target::Kind::Release;
    Draft& draft = drafts_[{action.verb, is_move, action.target.kind, is_by_kind ? action.target.object : std::string(),
                            has_fields || shares_line ? fields_of(action, cluster) : name}];
    if (draft.clusters.count() == 0) {
      draft.group.verb = action.verb;
      draft.group.is_move = is_move;
      draft.group.target = action.target.kind;
      draft.group.object = action.target.object;
    }
    agree(draft.group.object, action.target.object);
    add_name(draft.group.names, name);
    // Namespaces often have the names of their clusters.
    const std::string from = is_move ? diff::without_name(action.from, cluster) : action.from;
    const std::string to = is_move ? diff::without_name(action.to, cluster) : action.to;
    const std::string values = from + "\n" + to + "\n" + values_of(action, cluster);
    const auto [found, is_new] = draft.variants.try_emplace(values, draft.group.variants.size());
    if (is_new) draft.group.variants.push_back({{}, from, to, {}, {}, 0, {}, action.maker});
    if (is_new) draft.clusters_of_variants.emplace_back();
    Variant& variant = draft.group.variants[found->second];
    agree(variant.maker, action.maker);
    for (std::size_t i = 0; i < action.reasons.size(); ++i) {
      if (is_new) variant.reasons.push_back(without_name(action.reasons[i], cluster));
      else agree(variant.reasons[i], action.reasons[i], cluster);
    }
    variant.places.push_back(place);
    add_name(variant.names, name);
    for (MachineCount* sum : {&variant.machines, &draft.group.machines}) *sum += action.machines;
    draft.clusters_of_variants[found->second].add(place.cluster);
    draft.clusters.add(place.cluster);
  }

  static Group finished(Draft& draft) {
    Group group = std::move(draft.group);
    group.clusters = draft.clusters.count();
    for (std::size_t i = 0; i < group.variants.size(); ++i)
      group.variants[i].clusters = draft.clusters_of_variants[i].count();
    std::stable_sort(group.variants.begin(), group.variants.end(),
                     [](const Variant& a, const Variant& b) { return a.places.size() > b.places.size(); });
    return group;
  }

  std::map<Key, Draft> drafts_;
};

}  // namespace

std::vector<Group> groups_of(const diff::Records<ClusterPlan>& plans) { return Grouping().groups(plans); }

bool replaces_machines(const Action& action) { return action.verb == Verb::Roll || action.verb == Verb::Upgrade; }

MachineCount replaced_by(const ClusterPlan& plan) {
  MachineCount machines;
  for (const Action& action : plan.actions) {
    if (replaces_machines(action)) machines += action.machines;
  }
  return machines;
}

}  // namespace capwright::plan
