// One object after the other, and one change after the other.
#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include "crd/update.h"
#include "files/path_rules.h"
#include "pipeline/reader_gaps.h"
#include "pipeline/template_set.h"
#include "plan/holds.h"
#include "plan/planner.h"
#include "plan/topology.h"

namespace capwright::plan {
namespace {

using diff::Change;
using diff::ClusterDiff;
using diff::Object;
using diff::ObjectPair;
using diff::Side;
using Role = KindEffects::Role;

// A file without this text has no owner of machines.
constexpr std::string_view kMachineApis = "cluster.x-k8s.io/v";

void read_where(Side& side, const std::function<bool(std::string_view text)>& wanted) {
  for (const diff::SideFile& file : side.files()) {
    if (file.source == FileId::None && wanted(side.text(file))) side.read(file);
  }
}

void read_owners(Side& side) {
  read_where(side, [](std::string_view text) { return text.find(kMachineApis) != std::string_view::npos; });
}

constexpr std::string_view kJoined = "not the machine that `kubeadm init` made, if it is still there";

// Whether `kubeadm init` has the settings of machines that join: then the first machine counts as one that joined.
bool was_joined_alike(const Object& control_plane) {
  static constexpr std::string_view kOnlyInit[] = {"bootstrapTokens", "localAPIEndpoint"};
  static constexpr std::string_view kOnlyJoin[] = {"caCertPath", "discovery", "controlPlane"};
  const Value none;
  const auto part = [&](std::string_view path) -> const Value& {
    const Value* found = value_at(control_plane.value, path);
    return found != nullptr ? *found : none;
  };
  const auto has = [](const Value& whole, const Value& other, const auto& except) {
    if (!whole.is(Kind::Map)) return true;
    return std::all_of(whole.entries().begin(), whole.entries().end(), [&](const Entry& entry) {
      if (std::find(std::begin(except), std::end(except), entry.key.text()) != std::end(except)) return true;
      const Value* same = other.find(entry.key.text());
      return same != nullptr && json_equal(entry.value, *same);
    });
  };
  const Value& init = part("spec.kubeadmConfigSpec.initConfiguration");
  const Value& join = part("spec.kubeadmConfigSpec.joinConfiguration");
  return has(init, join, kOnlyInit) && has(join, init, kOnlyJoin);
}

}  // namespace

bool is_at_or_below(std::string_view inner, std::string_view outer) {
  if (outer.empty()) return true;
  return inner.starts_with(outer) &&
         (inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[');
}

void each_leaf(diff::Path& path, const Value& value,
               const std::function<void(const diff::Path&, const Value&)>& visit) {
  if (!value.is(Kind::Map) || value.entries().empty()) return visit(path, value);
  for (const Entry& entry : value.entries()) {
    path.push_back({diff::Step::Kind::Key, false, std::string(entry.key.text()), 0, 0});
    each_leaf(path, entry.value, visit);
    path.pop_back();
  }
}

Verb verb_of(Effect effect) {
  switch (effect) {
    case Effect::NoOp: return Verb::NoOp;
    case Effect::InPlace: return Verb::InPlace;
    case Effect::Sync: return Verb::Sync;
    case Effect::Scale: return Verb::Scale;
    case Effect::Upgrade: return Verb::Upgrade;
    case Effect::Roll: return Verb::Roll;
    case Effect::Rejected: return Verb::Rejected;
    case Effect::SecondSet: return Verb::Orphan;
    case Effect::Unknown: break;
  }
  return Verb::Unknown;
}

ClusterPlan Planner::plan() {
  const bool has_known_values =
      before_ != nullptr && before_->compiled() != nullptr && !before_->compiled()->set->plain;
  const bool counts_values = has_known_values && !concerns_machines();
  for (Side* side : {before_, after_}) {
    if (side != nullptr && !counts_values) read_owners(*side);
  }
  if (diff_.kind == ClusterDiff::Kind::Removed) before_->read_all();
  if (before_ != nullptr) old_machines_.emplace(*before_);
  if (after_ != nullptr) new_machines_.emplace(*after_);
  const bool is_folder_gone = after_ != nullptr && after_->files().empty();
  if (before_ != nullptr) removal_.emplace(diff_, *before_, is_folder_gone ? nullptr : after_, server_.delivery);
  const auto& rendered_machines = old_machines_ ? old_machines_ : new_machines_;
  const MachineCount machines =
      counts_values ? machines_in_values(before_->compiled()->values) : rendered_machines->total();
  ClusterPlan plan{diff_.kind, diff_.cluster, machines, {}, false};
  if (diff_.kind != ClusterDiff::Kind::Changed) {
    plan.actions.push_back(whole_cluster(plan.machines));
    plan_tombstones();
    for (Action& action : drafts_.actions()) plan.actions.push_back(std::move(action));
    return plan;
  }
  for (const ObjectPair& pair : diff_.pairs) plan_pair(pair);
  plan_tombstones();
  plan_topologies();
  plan_beside_refused();
  withhold_commands();
  plan.actions = drafts_.actions();
  find_move(diff_, before_, after_, plan);
  plan.harmless = is_harmless(plan);
  return plan;
}

bool Planner::concerns_machines() const {
  if (diff_.kind != ClusterDiff::Kind::Changed) return true;
  return std::any_of(diff_.pairs.begin(), diff_.pairs.end(), [](const ObjectPair& pair) {
    const KindEffects* known = effects_of(pair.object().group, pair.object().kind);
    if (pair.kind == ObjectPair::Kind::Removed) return true;  // it may have an owner
    if (known == nullptr) return pair.kind == ObjectPair::Kind::Renamed;
    return (known->role != Role::Object && known->role != Role::Release) || !known->readers.empty();
  });
}

bool Planner::is_harmless(const ClusterPlan& plan) const {
  return std::all_of(plan.actions.begin(), plan.actions.end(),
                     [](const Action& action) {
                       return action.verb == Verb::InPlace || action.verb == Verb::Sync || action.verb == Verb::Create;
                     }) &&
         std::none_of(diff_.pairs.begin(), diff_.pairs.end(), may_break_rules);
}

bool Planner::may_break_rules(const ObjectPair& pair) {
  if (pair.kind == ObjectPair::Kind::Added || pair.kind == ObjectPair::Kind::Kept) return false;
  if (pair.kind != ObjectPair::Kind::Changed) return true;
  return pair.after->group.ends_with("cluster.x-k8s.io") || pair.after->kind == "ExternalSecret" ||
         pair.after->version != pair.before->version;
}

void Planner::plan_pair(const ObjectPair& pair) {
  switch (pair.kind) {
    case ObjectPair::Kind::Added: return created(*pair.after);
    case ObjectPair::Kind::Removed: return removed(*pair.before);
    case ObjectPair::Kind::Dropped: return pair.follows == Change::kNone ? removed(*pair.before) : void();
    case ObjectPair::Kind::Kept: return;
    case ObjectPair::Kind::Renamed: return renamed(pair);
    case ObjectPair::Kind::Changed: break;
  }
  if (refused(pair) || refused_topology(pair)) {
    refused_.push_back(pair.after);
    return;
  }
  const KindEffects* known = effects_of(pair.after->group, pair.after->kind);
  if (is_of_class(*pair.after, *after_)) {
    plan_class_template(pair, known);
    return;
  }
  for (const Change& change : pair.changes) plan_change(pair, change, known);
}

void Planner::created(const Object& object) {
  const KindEffects* known = effects_of(object.group, object.kind);
  const bool is_part = known != nullptr && (known->role == Role::Template || known->role == Role::PoolPart);
  // The object that refers to it says what happens.
  if (is_part && (!new_machines_->made_with(object).empty() || is_of_class(object, *after_))) return;
  if (object.kind.empty() && !releases_with(object, *after_).empty()) return add_values(object);
  Drafts::Draft& draft = draft_of(object, known);
  if (known != nullptr && known->role == Role::Cluster) draft.besides = topology_machines(object);
  draft.reasons[Verb::Create];
  draft.maker = diff::maker_of(object, *after_);
}

void Planner::renamed(const ObjectPair& pair) {
  if (!new_machines_->made_with(*pair.after).empty() || renamed_of_class(pair)) return;
  const bool is_followed = std::any_of(diff_.pairs.begin(), diff_.pairs.end(), [&](const ObjectPair& other) {
    return std::any_of(other.changes.begin(), other.changes.end(), [&](const Change& change) {
      return change.follows != Change::kNone && &diff_.pairs[change.follows] == &pair;
    });
  });
  if (is_followed) return;
  Drafts::Draft& draft = draft_of(*pair.after, effects_of(pair.after->group, pair.after->kind));
  for (const Change& change : pair.changes)
    Drafts::add(draft, Verb::NoOp, reason_of(pair, change, "no machines of this tree are made from it"));
}

bool Planner::refused(const ObjectPair& pair) {
  const bool is_known = server_.registry != nullptr && !pair.after->kind.empty() && pair.counts();
  if (!is_known) return false;
  Stage stage = after_->stage();
  const std::vector<crd::Refusal> refusals =
      crd::refused_update(pair.before->value, pair.after->value, server_.admission, *server_.registry, stage);
  if (refusals.empty()) return false;
  const KindEffects* known = effects_of(pair.after->group, pair.after->kind);
  Drafts::Draft& draft = draft_of(*pair.after, known);
  draft.by = refusals.front().by;
  for (const crd::Refusal& refusal : refusals) add_refusal(pair, refusal, known, draft);
  return true;
}

void Planner::add_refusal(const ObjectPair& pair, const crd::Refusal& refusal, const KindEffects* known,
                          Drafts::Draft& draft) {
  const std::string& refused = refusal.finding.path;
  bool is_told = false;
  for (const Change& change : pair.changes) {
    const std::string path = text_of(change.path);
    const bool is_near = is_at_or_below(path, refused) || is_at_or_below(refused, path);
    const bool may_change = effect_at(known, change.path, pair.after->value) != nullptr && path != refused;
    if (!change.counts() || !is_near || may_change) continue;
    Drafts::add(draft, Verb::Rejected, reason_of(pair, change, refusal.why, refusal.by));
    is_told = true;
  }
  if (is_told) return;
  Reason reason{.object = std::string(pair.after->kind), .name = std::string(own_name(*pair.after))};
  reason.change.path = refused;
  reason.note = refusal.why;
  reason.source = refusal.by;
  Drafts::add(draft, Verb::Rejected, std::move(reason));
}

void Planner::plan_change(const ObjectPair& pair, const Change& change, const KindEffects* known) {
  if (pair.after->kind.empty()) return add_values(pair, change);
  if (pair.before->version != pair.after->version) return plan_conversion(pair, change, known);
  if (plan_class_change(pair, change) || plan_topology_change(pair, change)) return;
  std::vector<const FieldEffect*> entries;  // null: unknown
  diff::Path path = change.path;
  const bool is_gone = change.kind == Change::Kind::Remove, is_alone = is_gone || change.kind == Change::Kind::Add;
  each_leaf(path, is_gone ? change.before : change.after, [&](const diff::Path& leaf, const Value& value) {
    const FieldEffect* entry = effect_at(known, leaf, pair.after->value, is_alone ? &value : nullptr);
    if (entry == nullptr && known != nullptr && !known->readers.empty()) entry = reader_of(*pair.after, *known);
    if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(entry);
  });
  for (const FieldEffect* entry : entries) add_effect(pair, change, known, entry);
  if (known != nullptr && !known->paused.empty()) resume(pair, change, *known);
}

void Planner::mark(const FieldEffect* entry, Drafts::Draft& draft) {
  if (entry == nullptr || entry->effect != Effect::Roll) return;
  if (entry->machines == MachineScope::Joined) draft.rolls_joined = true;
  else if (entry->machines == MachineScope::First) draft.rolls_first = true;
  else draft.rolls_all = true;
}

void Planner::leave_first_set(const ObjectPair& pair, Drafts::Draft& draft) {
  draft.reasons[Verb::Create];
  draft.commands = {delete_command_of_old_sets(*pair.before, *pair.after)};
}

void Planner::resume(const ObjectPair& pair, const Change& change, const KindEffects& known) {
  const bool is_pause = text_of(change.path) == known.paused ||
                        (!change.path.empty() && change.path.back().text == "cluster.x-k8s.io/paused");
  if (!is_pause || !old_machines_ || !new_machines_) return;
  for (const MachineSet& set : new_machines_->sets()) {
    const MachineSet* was = old_machines_->find(set);
    const bool is_its = set.owner == pair.after || cluster_of(set, *after_) == pair.after;
    if (!is_its || was == nullptr || !set.count.is_some()) continue;
    const auto hold = hold_of(*was, *old_machines_, *before_), holds = hold_of(set, *new_machines_, *after_);
    if (!hold || !hold->is_pause || (holds && holds->is_pause)) continue;
    Drafts::Draft& draft = draft_of(set);
    draft.resumes = true;
    Drafts::add(draft, Verb::Roll, reason_of(pair, change, "what was changed while it was paused happens now"));
  }
}

void Planner::plan_conversion(const ObjectPair& pair, const Change& change, const KindEffects* known) {
  const bool is_version = change.path.size() == 1 && change.path[0].text == "apiVersion";
  const std::string note = is_version ? "the server converts the object" : "the version of the API changes, too";
  for (Drafts::Draft* draft : drafts_of(*pair.after, known))
    Drafts::add(*draft, is_version ? Verb::InPlace : Verb::Unknown, reason_of(pair, change, note));
}

void Planner::add_effect(const ObjectPair& pair, const Change& change, const KindEffects* known,
                         const FieldEffect* entry) {
  const Effect effect = entry != nullptr ? entry->effect : Effect::Unknown;
  const bool replaces = effect == Effect::Roll || effect == Effect::Upgrade;
  if (change.kind == Change::Kind::Format && !replaces) return;
  std::string note(entry != nullptr ? entry->note : "");
  if (entry != nullptr && entry->machines == MachineScope::Joined) note = kJoined;
  const std::string source(entry != nullptr ? entry->source : "");
  for (Drafts::Draft* draft : drafts_of(*pair.after, known)) {
    mark(entry, *draft);
    if (draft->rolls_first) draft->first_joined_alike = was_joined_alike(*pair.before);
    if (effect == Effect::SecondSet) leave_first_set(pair, *draft);
    const ObjectPair* target = change.follows != Change::kNone ? &diff_.pairs[change.follows] : nullptr;
    if (target == nullptr || target->changes.empty()) {
      Drafts::add(*draft, verb_of(effect), reason_of(pair, change, note, source));
      continue;
    }
    for (const Change& why : target->changes)
      Drafts::add(*draft, verb_of(effect), reason_of(*target, why, note, source));
  }
  if (known == nullptr || known->role != Role::Release) return;
  const std::string_view key = change.path.empty() ? std::string_view() : change.path.back().text;
  if (key == "targetRevision" || key == "version") {
    Drafts::Draft& draft = draft_of(*pair.after, known);
    draft.from = change.before.is(Kind::String) ? change.before.text() : "";
    draft.to = change.after.is(Kind::String) ? change.after.text() : "";
  }
}

const FieldEffect* Planner::reader_of(const Object& object, const KindEffects& known) const {
  for (const FieldEffect& entry : known.readers) {
    for (const Object& reader : after_->objects()) {
      if (reader.kind == entry.reader && applies(entry, reader.value) && mentions(reader.value, object.name))
        return &entry;
    }
  }
  return nullptr;
}

std::vector<const Object*> Planner::releases_with(const Object& file, Side& side) {
  const std::string path = "/" + std::string(file.name);
  read_where(side, [&](std::string_view text) { return text.find(path) != std::string_view::npos; });
  std::vector<const Object*> found;
  for (const Object& object : side.objects()) {
    const KindEffects* known = effects_of(object.group, object.kind);
    const bool is_release = known != nullptr && known->role == Role::Release;
    if (is_release && side.text(*object.file).find(path) != std::string_view::npos) found.push_back(&object);
  }
  return found;
}

void Planner::add_values(const ObjectPair& pair, const Change& change) {
  const auto releases = releases_with(*pair.after, *after_);
  if (change.kind == Change::Kind::Format) return;
  for (const Object* release : releases) {
    Drafts::Draft& draft = draft_of(*release, effects_of(release->group, release->kind));
    Drafts::add(draft, Verb::Sync, reason_of(pair, change, ""));
  }
  if (!releases.empty()) return;
  const std::string_view path = pair.after->file->path;
  const bool is_unread = is_chart_values(path), may_apply = has_manifest_name(path) && !is_unread;
  std::string note = may_apply ? "" : "no tool applies files of this name";
  if (is_unread) note = kUnreadValues;
  Drafts::add(draft_of(*pair.after, nullptr), may_apply ? Verb::Unknown : Verb::NoOp, reason_of(pair, change, note));
}

void Planner::add_values(const Object& file) {
  for (const Object* release : releases_with(file, *after_)) {
    Drafts::Draft& draft = draft_of(*release, effects_of(release->group, release->kind));
    Drafts::add(draft, Verb::Sync, {.name = std::string(file.name)});
  }
}

std::vector<Drafts::Draft*> Planner::drafts_of(const Object& object, const KindEffects* known) {
  if (known != nullptr && known->role == Role::PoolPart) {
    std::vector<Drafts::Draft*> found;
    for (const MachineSet* set : new_machines_->made_with(object)) found.push_back(&draft_of(*set->owner, set->known));
    if (!found.empty()) return found;
  }
  return {&draft_of(object, known)};
}

Drafts::Draft& Planner::draft_of(const Object& object, const KindEffects* known) {
  Target target{Target::Kind::Object, std::string(object.kind), std::string(object.space),
                std::string(own_name(object))};
  const Role role = known != nullptr ? known->role : Role::Object;
  if (role == Role::ControlPlane || role == Role::Pool) {
    MachineSet set;
    set.owner = &object;
    set.known = known;
    set.kind = object.kind;
    return draft_of(set);
  }
  if (role == Role::Cluster) target.kind = Target::Kind::Cluster;
  if (role == Role::Release) target.kind = Target::Kind::Release;
  Drafts::Draft& draft = drafts_.of(std::move(target));
  if (draft.by.empty() && known != nullptr) draft.by = known->by;
  return draft;
}

Drafts::Draft& Planner::draft_of(const MachineSet& set) {
  Drafts::Draft& draft = drafts_.of(target_of(set));
  if (!draft.by.empty()) return draft;
  draft.by = set.known->by;
  draft.before = old_machines_ ? old_machines_->find(set) : nullptr;
  draft.after = new_machines_ ? new_machines_->find(set) : nullptr;
  if (draft.after != nullptr) draft.hold = hold_of(*draft.after, *new_machines_, *after_);
  return draft;
}

Reason Planner::reason_of(const ObjectPair& pair, const Change& change, std::string note, std::string source) const {
  return {std::string(pair.after->kind), std::string(own_name(*pair.after)), diff::record_of(change, before_, after_),
          std::move(note), std::move(source)};
}

ClusterPlan left_in_tree(ClusterPlan plan) {
  Action action;
  action.target = {Target::Kind::Cluster, "Cluster", plan.actions.front().target.space, plan.cluster};
  action.reasons.push_back({.object = "Cluster", .name = plan.cluster});
  action.reasons.back().note =
      fmt::format("no values file makes it, but `clusters/{}` stays in the tree: nothing is deleted", plan.cluster);
  plan.actions = {std::move(action)};
  return plan;
}

ClusterPlan plan_cluster(const ClusterDiff& diff, Side* before, Side* after, const Server& server) {
  return Planner(diff, before, after, server).plan();
}

}  // namespace capwright::plan
