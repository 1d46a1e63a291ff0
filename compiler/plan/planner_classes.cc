// Clusters of a ClusterClass.
#include <algorithm>
#include <fmt/format.h>

#include "plan/planner.h"
#include "plan/topology.h"
#include "rotation/naming.h"

namespace capwright::plan {

using diff::Change;
using diff::Object;
using diff::ObjectPair;
using diff::Side;

namespace {

constexpr std::string_view kByContent = "the topology controller compares the templates of a class by content";

// The effects of the fields of an object that the topology controller updates in place when its template changes: a
// control plane, or a cloud's pool of a MachinePool. Null: it makes a new object, for new machines.
const KindEffects* updated_in_place(const MachineSet& set, const Object& of) {
  if (set.is_control_plane()) return of.kind.ends_with("ControlPlaneTemplate") ? set.known : nullptr;
  if (set.kind != "MachinePool" || !of.kind.ends_with(kTemplate)) return nullptr;
  return effects_of(of.group, of.kind.substr(0, of.kind.size() - kTemplate.size()));
}

}  // namespace

MachineCount Planner::topology_machines(const Object& cluster) const {
  MachineCount sum;
  for (const MachineSet& set : new_machines_->sets()) {
    if (set.owner == &cluster && !set.topology.empty()) sum += set.count;
  }
  return sum;
}

void Planner::plan_topologies() {
  if (!old_machines_ || !new_machines_) return;
  const auto is_owner = [](const Object& each, const MachineSet& set) {
    return each.kind == set.owner->kind && each.space == set.owner->space && each.name == set.owner->name;
  };
  const auto has_cluster = [&](const Side& side, const MachineSet& set) {
    return std::any_of(side.objects().begin(), side.objects().end(),
                       [&](const Object& each) { return is_owner(each, set); });
  };
  const auto is_refused = [&](const MachineSet& set) {
    return std::any_of(refused_.begin(), refused_.end(), [&](const Object* each) { return is_owner(*each, set); });
  };
  for (const MachineSet& set : old_machines_->sets()) {
    if (set.topology.empty() || new_machines_->find(set) != nullptr || !has_cluster(*after_, set)) continue;
    if (is_refused(set)) continue;
    Drafts::add(draft_of(set), Verb::Delete,
                {.object = std::string(set.owner->kind),
                 .name = std::string(set.owner->name),
                 .note = "the topology controller deletes it, with its machines"});
  }
  for (const MachineSet& set : new_machines_->sets()) {
    if (set.topology.empty() || old_machines_->find(set) != nullptr || !has_cluster(*before_, set)) continue;
    if (is_refused(set)) continue;
    draft_of(set).reasons[Verb::Create];
  }
}

// The server applies each object by itself, so a pool can change while its control plane stays as it was.
void Planner::plan_beside_refused(const MachineSet& plane) {
  const DeliveryEffects& tool = effects_of(delivery_name(server_.delivery));
  const Object* cluster = cluster_of(plane, *after_);
  for (const MachineSet& set : new_machines_->sets()) {
    if (set.is_control_plane() || cluster == nullptr || cluster_of(set, *after_) != cluster) continue;
    Drafts::Draft* draft = drafts_.find(target_of(set));
    if (draft == nullptr) continue;
    if (tool.applies_all) {
      draft->hold = {fmt::format("{} applies no object of a change if the API server rejects one, here the {}",
                                 tool.name, plane.kind),
                     false, true, true};
    } else {
      draft->hold = hold_of(set, *old_machines_, *after_);  // the server keeps the old control plane
      draft->beside = fmt::format("the {} is rejected, and {} still applies this object", plane.kind, tool.name);
    }
  }
}

void Planner::plan_beside_refused() {
  if (!old_machines_ || !new_machines_) return;
  for (const MachineSet& set : new_machines_->sets()) {
    const bool is_refused = std::find(refused_.begin(), refused_.end(), set.owner) != refused_.end();
    if (is_refused && set.is_control_plane() && set.topology.empty()) plan_beside_refused(set);
  }
}

bool Planner::refused_topology(const ObjectPair& pair) {
  if (pair.after->kind != "Cluster") return false;
  const std::string why = refused_topology_version(*pair.before, *pair.after, *after_);
  if (why.empty()) return false;
  Drafts::Draft& draft = draft_of(*pair.after, effects_of(pair.after->group, pair.after->kind));
  draft.by = "Cluster API's webhook";
  for (const Change& change : pair.changes) {
    if (text_of(change.path) == "spec.topology.version")
      Drafts::add(draft, Verb::Rejected, reason_of(pair, change, why, "Cluster API's webhook"));
  }
  return true;
}

bool Planner::plan_topology_change(const ObjectPair& pair, const Change& change) {
  const bool is_here = pair.after->kind == "Cluster" && change.path.size() > 2 && change.path[1].text == "topology";
  if (!is_here) return false;
  const bool is_list = change.path[2].text == "workers" && change.path.size() < 6;
  if (is_list) return true;  // plan_topologies() reports added and removed pools
  const KindEffects* known = effects_of(pair.after->group, pair.after->kind);
  diff::Path path = change.path;
  each_leaf(path, change.kind == Change::Kind::Remove ? change.before : change.after,
            [&](const diff::Path& leaf, const Value&) {
              const FieldEffect* entry = effect_at(known, leaf, pair.after->value);
              for (const MachineSet* set : sets_at(pair, leaf, *new_machines_)) add_to_set(pair, change, entry, *set);
            });
  return true;
}

void Planner::add_to_set(const ObjectPair& pair, const Change& change, const FieldEffect* entry,
                         const MachineSet& set) {
  const MachineSet* was = old_machines_->find(set);
  if (was == nullptr) return;  // a new one
  const bool names_class = std::any_of(change.path.begin() + 2, change.path.end(),
                                       [](const diff::Step& step) { return step.text.starts_with("class"); });
  Verb verb = entry != nullptr ? verb_of(entry->effect) : Verb::Unknown;
  const auto old_templates = class_templates(*was, *before_), templates = class_templates(set, *after_);
  if (names_class && !templates.empty()) {
    // The changes of the templates are planned where the diff has them.
    if (change.follows != Change::kNone && are_generations(old_templates, templates)) return;
    if (!is_made_otherwise(old_templates, templates) && is_same_control_plane(old_templates, templates))
      verb = Verb::NoOp;
  }
  Drafts::Draft& draft = draft_of(set);
  if (verb == Verb::Roll) draft.rolls_all = true;
  const std::string note(entry != nullptr ? entry->note : ""), source(entry != nullptr ? entry->source : "");
  Drafts::add(draft, verb, reason_of(pair, change, note, source));
}

bool Planner::renamed_of_class(const ObjectPair& pair) {
  const KindEffects* known = effects_of(pair.after->group, pair.after->kind);
  if (pair.after->kind == rotation::kClusterClass) {
    for (const Change& change : pair.changes) {
      const bool is_worker_class = change.path.size() == 4 && change.path[1].text == "workers";
      // Pools and templates are planned where they change.
      if (change.follows == Change::kNone && !is_worker_class) plan_change(pair, change, known);
    }
    return true;
  }
  if (!is_of_class(*pair.after, *after_)) return false;
  plan_class_template(pair, known);
  return true;
}

void Planner::plan_infrastructure(const ObjectPair& pair) {
  Stage stage = after_->stage();
  const Value was = made_from(*pair.before, stage.arena), is = made_from(*pair.after, stage.arena);
  const std::string kind(is.find("kind")->text());
  const KindEffects* known = effects_of(pair.after->group, kind);
  Drafts::Draft& draft =
      drafts_.of({Target::Kind::Object, kind, std::string(pair.after->space), std::string(own_name(*pair.after))});
  if (draft.by.empty() && known != nullptr) draft.by = known->by;
  const auto refusals = server_.registry != nullptr
                            ? crd::refused_update(was, is, server_.admission, *server_.registry, stage)
                            : std::vector<crd::Refusal>();
  for (const Change& change : pair.changes) {
    if (!change.counts() || change.path.size() < 4 || change.path[2].text != "spec") continue;
    const diff::Path path{change.path.begin() + 2, change.path.end()};
    const auto refusal = std::find_if(refusals.begin(), refusals.end(), [&](const crd::Refusal& each) {
      return is_at_or_below(text_of(path), each.finding.path) || is_at_or_below(each.finding.path, text_of(path));
    });
    if (refusal != refusals.end()) {
      draft.by = refusal->by;
      Drafts::add(draft, Verb::Rejected, reason_of(pair, change, refusal->why, refusal->by));
      continue;
    }
    const FieldEffect* entry = effect_at(known, path, is);
    Drafts::add(draft, entry != nullptr ? verb_of(entry->effect) : Verb::Unknown,
                reason_of(pair, change, std::string(entry != nullptr ? entry->note : "")));
  }
}

void Planner::plan_class_template(const ObjectPair& pair, const KindEffects* known) {
  const bool is_renamed = pair.kind == ObjectPair::Kind::Renamed;
  if (is_renamed && pair.after->kind.ends_with("ClusterTemplate")) return plan_infrastructure(pair);
  const bool is_plane = pair.after->kind.ends_with("ControlPlaneTemplate");
  for (const Change& change : pair.changes) {
    const bool is_spec = change.path.size() > 3 && change.path[2].text == "spec";
    const FieldEffect* entry =
        is_spec && !is_plane && !is_renamed ? effect_at(known, change.path, pair.after->value) : nullptr;
    if (entry != nullptr && entry->effect == Effect::Rejected) {
      add_effect(pair, change, known, entry);
      continue;
    }
    bool is_used = false;
    for (const MachineSet& set : new_machines_->sets()) is_used = add_of_class(pair, change, is_spec, set) || is_used;
    if (is_used) continue;
    const Verb verb = is_spec ? Verb::Roll : Verb::InPlace;
    Drafts::add(draft_of(*pair.after, nullptr), verb, reason_of(pair, change, std::string(kByContent)));
  }
}

bool Planner::add_of_class(const ObjectPair& pair, const Change& change, bool is_spec, const MachineSet& set) {
  const auto templates = class_templates(set, *after_);
  const bool is_its = std::any_of(templates.begin(), templates.end(),
                                  [&](const ClassTemplate& each) { return each.object == pair.after; });
  if (!is_its || old_machines_->find(set) == nullptr) return is_its;
  const KindEffects* known = updated_in_place(set, *pair.after);
  if (!is_spec || known == nullptr) {
    Drafts::Draft& draft = draft_of(set);
    draft.rolls_all = draft.rolls_all || is_spec;
    const bool is_renamed = pair.kind == ObjectPair::Kind::Renamed;
    Drafts::add(draft, is_spec ? Verb::Roll : Verb::InPlace,
                reason_of(pair, change, is_renamed ? "" : std::string(kByContent)));
    return true;
  }
  // `spec.template.spec` of a template is the `spec` of the object that is made from it.
  diff::Path path{change.path.begin() + 2, change.path.end()};
  const FieldEffect* entry = effect_at(known, path, set.owner->value);
  Drafts::Draft& draft = draft_of(set);
  mark(entry, draft);
  Drafts::add(draft, entry != nullptr ? verb_of(entry->effect) : Verb::Unknown,
              reason_of(pair, change, std::string(entry != nullptr ? entry->note : "")));
  return true;
}

bool Planner::plan_class_change(const ObjectPair& pair, const Change& change) {
  const bool names_template =
      pair.after->kind == "ClusterClass" && std::any_of(change.path.begin(), change.path.end(), [](const auto& step) {
        return step.text == "templateRef" || step.text == "ref";
      });
  if (!names_template) return false;
  bool is_used = false;
  for (const MachineSet& set : new_machines_->sets()) {
    const MachineSet* was = old_machines_->find(set);
    const auto templates = class_templates(set, *after_);
    const bool is_its = std::any_of(templates.begin(), templates.end(), [&](const ClassTemplate& each) {
      return change.after.is(Kind::String) && change.after.text() == each.name;
    });
    if (was == nullptr || !is_its) continue;
    is_used = true;
    const bool rolls = set.kind != "MachinePool" && is_made_otherwise(class_templates(*was, *before_), templates);
    Drafts::Draft& draft = draft_of(set);
    draft.rolls_all = draft.rolls_all || rolls;
    Drafts::add(draft, rolls ? Verb::Roll : Verb::NoOp, reason_of(pair, change, rolls ? "" : std::string(kByContent)));
  }
  if (is_used) return true;
  const bool is_elsewhere = std::none_of(new_machines_->sets().begin(), new_machines_->sets().end(),
                                         [](const MachineSet& set) { return !set.topology.empty(); });
  Drafts::add(draft_of(*pair.after, effects_of(pair.after->group, pair.after->kind)),
              is_elsewhere ? Verb::Roll : Verb::NoOp, reason_of(pair, change, std::string(kByContent)));
  return true;
}

}  // namespace capwright::plan
