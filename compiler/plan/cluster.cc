// Changes are followed from the object that they are in to the machines that are made from it.
#include "plan/cluster.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <set>

#include "crd/update.h"
#include "plan/drafts.h"
#include "plan/effects.h"
#include "plan/machines.h"
#include "plan/move.h"

namespace capwright::plan {
namespace {

using diff::Change;
using diff::ClusterDiff;
using diff::Object;
using diff::ObjectPair;
using diff::Side;
using Role = KindEffects::Role;

// What only files have that owners of machines are in.
constexpr std::string_view kMachineApis = "cluster.x-k8s.io/v";

void read_where(Side& side, const std::function<bool(std::string_view text)>& wanted) {
  for (const diff::SideFile& file : side.files()) {
    if (file.source == FileId::None && wanted(side.text(file))) side.read(file);
  }
}

void read_owners(Side& side) {
  read_where(side, [](std::string_view text) { return text.find(kMachineApis) != std::string_view::npos; });
}

// Every path below a change at which something came, went or changed as a whole.
void each_leaf(diff::Path& path, const Value& value, const std::function<void(const diff::Path&)>& visit) {
  if (!value.is(Kind::Map) || value.entries().empty()) return visit(path);
  for (const Entry& entry : value.entries()) {
    path.push_back({diff::Step::Kind::Key, false, std::string(entry.key.text()), 0, 0});
    each_leaf(path, entry.value, visit);
    path.pop_back();
  }
}

std::string_view own_name(const Object& object) { return object.base.empty() ? object.name : object.base; }

std::string_view sync_options(const Object& object) {
  const Value* annotations = value_at(object.value, "metadata.annotations");
  const Value* options = annotations != nullptr ? annotations->find("argocd.argoproj.io/sync-options") : nullptr;
  return options != nullptr && options->is(Kind::String) ? options->text() : std::string_view();
}

Verb verb_of(Effect effect) {
  switch (effect) {
    case Effect::NoOp: return Verb::NoOp;
    case Effect::InPlace: return Verb::InPlace;
    case Effect::Sync: return Verb::Sync;
    case Effect::Scale: return Verb::Scale;
    case Effect::Upgrade: return Verb::Upgrade;
    case Effect::Roll: return Verb::Roll;
    case Effect::Unknown: break;
  }
  return Verb::Unknown;
}

// Whether `inner` is `outer` or below it.
bool is_at_or_below(std::string_view inner, std::string_view outer) {
  if (outer.empty()) return true;
  return inner.starts_with(outer) &&
         (inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[');
}

class Planner {
 public:
  Planner(const ClusterDiff& diff, Side* before, Side* after, const Server& server)
      : diff_(diff), before_(before), after_(after), server_(server) {}

  ClusterPlan plan() {
    const bool counts_values = before_ != nullptr && before_->compiled() != nullptr && !concerns_machines();
    for (Side* side : {before_, after_}) {
      if (side != nullptr && !counts_values) read_owners(*side);
    }
    if (before_ != nullptr) old_machines_.emplace(*before_);
    if (after_ != nullptr) new_machines_.emplace(*after_);
    const MachineCount machines = counts_values ? machines_in_values(before_->compiled()->values)
                                                : (old_machines_ ? *old_machines_ : *new_machines_).total();
    ClusterPlan plan{diff_.kind, diff_.cluster, machines, {}, false};
    if (diff_.kind != ClusterDiff::Kind::Changed) {
      plan.actions.push_back(whole_cluster(plan.machines));
      return plan;
    }
    for (const ObjectPair& pair : diff_.pairs) plan_pair(pair);
    plan.actions = drafts_.actions();
    find_move(diff_, before_, after_, plan);
    plan.harmless = is_harmless(plan);
    return plan;
  }

 private:
  // Whether somebody has to know who makes machines, for which more files are read: not for add-ons and their values,
  // which are what changes most.
  bool concerns_machines() const {
    if (diff_.kind != ClusterDiff::Kind::Changed) return true;
    return std::any_of(diff_.pairs.begin(), diff_.pairs.end(), [](const ObjectPair& pair) {
      const KindEffects* known = effects_of(pair.object().group, pair.object().kind);
      if (known == nullptr) return pair.kind == ObjectPair::Kind::Renamed;
      return (known->role != Role::Object && known->role != Role::Release) || !known->readers.empty();
    });
  }

  Action whole_cluster(const MachineCount& machines) const {
    const bool is_new = diff_.kind == ClusterDiff::Kind::Added;
    Action action;
    action.verb = is_new ? Verb::Create : Verb::Delete;
    action.target = {Target::Kind::Cluster, "Cluster", "", diff_.cluster};
    action.machines = machines;
    if (!is_new) add_deletion(action);
    return action;
  }

  // Who applies the tree may ask before it deletes, or leave what it is.
  void add_deletion(Action& action) const {
    for (const Object& object : before_->objects()) {
      if (object.kind != "Cluster" || !object.group.ends_with("cluster.x-k8s.io")) continue;
      Reason reason{.object = std::string(object.kind), .name = std::string(object.name)};
      const std::string_view options = sync_options(object);
      const bool asks = options.find("Prune=confirm") != std::string_view::npos ||
                        options.find("Delete=confirm") != std::string_view::npos;
      if (options.find("Prune=false") != std::string_view::npos) reason.note = "Argo CD leaves it (Prune=false)";
      else if (asks)
        reason.note =
            "Argo CD asks before it deletes it (confirm), an ApplicationSet may leave it "
            "(preserveResourcesOnDeletion)";
      if (!reason.note.empty()) action.reasons.push_back(std::move(reason));
    }
  }

  // Changes of what no rule looks at, such as Applications and the values of add-ons: the most of all, for which
  // nothing has to be read anew.
  bool is_harmless(const ClusterPlan& plan) const {
    return std::all_of(plan.actions.begin(), plan.actions.end(),
                       [](const Action& action) {
                         return action.verb == Verb::InPlace || action.verb == Verb::Sync ||
                                action.verb == Verb::Create;
                       }) &&
           std::none_of(diff_.pairs.begin(), diff_.pairs.end(), may_break_rules);
  }

  static bool may_break_rules(const ObjectPair& pair) {
    if (pair.kind == ObjectPair::Kind::Added || pair.kind == ObjectPair::Kind::Kept) return false;
    if (pair.kind != ObjectPair::Kind::Changed) return true;
    return pair.after->group.ends_with("cluster.x-k8s.io") || pair.after->version != pair.before->version;
  }

  // ---- one object ----
  void plan_pair(const ObjectPair& pair) {
    switch (pair.kind) {
      case ObjectPair::Kind::Added: return created(*pair.after);
      case ObjectPair::Kind::Removed: return removed(*pair.before);
      case ObjectPair::Kind::Dropped: return pair.follows == Change::kNone ? removed(*pair.before) : void();
      case ObjectPair::Kind::Kept: return;
      case ObjectPair::Kind::Renamed: return renamed(pair);
      case ObjectPair::Kind::Changed: break;
    }
    if (refused(pair)) return;
    const KindEffects* known = effects_of(pair.after->group, pair.after->kind);
    for (const Change& change : pair.changes) plan_change(pair, change, known);
  }

  void created(const Object& object) {
    const KindEffects* known = effects_of(object.group, object.kind);
    const bool is_part = known != nullptr && (known->role == Role::Template || known->role == Role::PoolPart);
    if (is_part && !new_machines_->made_with(object).empty()) return;  // who refers to it says what happens
    if (object.kind.empty() && !releases_with(object, *after_).empty()) return add_values(object);
    Drafts::Draft& draft = draft_of(object, known);
    draft.reasons[Verb::Create];
    draft.maker = diff::maker_of(object, *after_);
  }

  void removed(const Object& object) {
    const KindEffects* known = effects_of(object.group, object.kind);
    const bool is_part = known != nullptr && (known->role == Role::Template || known->role == Role::PoolPart);
    const bool stays = sync_options(object).find("Prune=false") != std::string_view::npos;
    if (is_part && (stays || !old_machines_->made_with(object).empty())) return;
    if (object.kind.empty() && !releases_with(object, *before_).empty()) return;
    Drafts::Draft& draft = draft_of(object, known);
    draft.reasons[stays ? Verb::NoOp : Verb::Delete];
    draft.maker = diff::maker_of(object, *before_);
    Reason reason{.object = std::string(object.kind), .name = std::string(own_name(object))};
    if (stays) reason.note = "Argo CD leaves it in the management cluster (Prune=false)";
    else if (sync_options(object).find("Prune=confirm") != std::string_view::npos)
      reason.note = "Argo CD asks before it deletes it (Prune=confirm)";
    if (!reason.note.empty()) Drafts::add(draft, stays ? Verb::NoOp : Verb::Delete, std::move(reason));
  }

  // A template under a new name: who refers to it says what happens. Unless nobody does.
  void renamed(const ObjectPair& pair) {
    if (!new_machines_->made_with(*pair.after).empty()) return;
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

  // ---- what the server refuses ----
  bool refused(const ObjectPair& pair) {
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

  void add_refusal(const ObjectPair& pair, const crd::Refusal& refusal, const KindEffects* known,
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

  // ---- one change ----
  void plan_change(const ObjectPair& pair, const Change& change, const KindEffects* known) {
    if (pair.after->kind.empty()) return add_values(pair, change);
    if (pair.before->version != pair.after->version) return plan_conversion(pair, change, known);
    std::vector<const FieldEffect*> entries;  // null: unknown
    diff::Path path = change.path;
    each_leaf(path, change.kind == Change::Kind::Remove ? change.before : change.after, [&](const diff::Path& leaf) {
      const FieldEffect* entry = effect_at(known, leaf, pair.after->value);
      if (entry == nullptr && known != nullptr && !known->readers.empty()) entry = reader_of(*pair.after, *known);
      if (std::find(entries.begin(), entries.end(), entry) == entries.end()) entries.push_back(entry);
    });
    for (const FieldEffect* entry : entries) add_effect(pair, change, known, entry);
  }

  // The fields of another version of the API may be called differently: what they do isn't known.
  void plan_conversion(const ObjectPair& pair, const Change& change, const KindEffects* known) {
    const bool is_version = change.path.size() == 1 && change.path[0].text == "apiVersion";
    const std::string note = is_version ? "the server converts the object" : "the version of the API changes, too";
    for (Drafts::Draft* draft : drafts_of(*pair.after, known))
      Drafts::add(*draft, is_version ? Verb::InPlace : Verb::Unknown, reason_of(pair, change, note));
  }

  void add_effect(const ObjectPair& pair, const Change& change, const KindEffects* known, const FieldEffect* entry) {
    const Effect effect = entry != nullptr ? entry->effect : Effect::Unknown;
    const bool replaces = effect == Effect::Roll || effect == Effect::Upgrade;
    if (change.kind == Change::Kind::Format && !replaces) return;
    const std::string note(entry != nullptr ? entry->note : "");
    const std::string source(entry != nullptr ? entry->source : "");
    for (Drafts::Draft* draft : drafts_of(*pair.after, known)) {
      const ObjectPair* target = change.follows != Change::kNone ? &diff_.pairs[change.follows] : nullptr;
      if (target == nullptr || target->changes.empty()) {
        Drafts::add(*draft, verb_of(effect), reason_of(pair, change, note, source));
        continue;
      }
      for (const Change& why : target->changes)
        Drafts::add(*draft, verb_of(effect), reason_of(*target, why, note, source));
    }
    if (known == nullptr || known->role != Role::Release) return;
    if (!change.path.empty() && change.path.back().text == "targetRevision") {
      Drafts::Draft& draft = draft_of(*pair.after, known);
      draft.from = change.before.is(Kind::String) ? change.before.text() : "";
      draft.to = change.after.is(Kind::String) ? change.after.text() : "";
    }
  }

  // The first entry of the kind that an object which mentions this one has; what replaces least comes last.
  const FieldEffect* reader_of(const Object& object, const KindEffects& known) const {
    for (const FieldEffect& entry : known.readers) {
      for (const Object& reader : after_->objects()) {
        if (reader.kind == entry.reader && applies(entry, reader.value) && mentions(reader.value, object.name))
          return &entry;
      }
    }
    return nullptr;
  }

  // ---- values of add-ons ----
  // Applications that name the file.
  static std::vector<const Object*> releases_with(const Object& file, Side& side) {
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

  void add_values(const ObjectPair& pair, const Change& change) {
    const auto releases = releases_with(*pair.after, *after_);
    if (change.kind == Change::Kind::Format) return;
    for (const Object* release : releases) {
      Drafts::Draft& draft = draft_of(*release, effects_of(release->group, release->kind));
      Drafts::add(draft, Verb::Sync, reason_of(pair, change, ""));
    }
    if (releases.empty()) Drafts::add(draft_of(*pair.after, nullptr), Verb::Unknown, reason_of(pair, change, ""));
  }

  void add_values(const Object& file) {
    for (const Object* release : releases_with(file, *after_)) {
      Drafts::Draft& draft = draft_of(*release, effects_of(release->group, release->kind));
      Drafts::add(draft, Verb::Sync, {.name = std::string(file.name)});
    }
  }

  // ---- targets ----
  // What an effect on an object is an effect on: the machines that are made with a part of a pool, else the object.
  std::vector<Drafts::Draft*> drafts_of(const Object& object, const KindEffects* known) {
    if (known != nullptr && known->role == Role::PoolPart) {
      std::vector<Drafts::Draft*> found;
      for (const MachineSet* set : new_machines_->made_with(object))
        found.push_back(&draft_of(*set->owner, set->known));
      if (!found.empty()) return found;
    }
    return {&draft_of(object, known)};
  }

  Drafts::Draft& draft_of(const Object& object, const KindEffects* known) {
    Target target{Target::Kind::Object, std::string(object.kind), std::string(object.space),
                  std::string(own_name(object))};
    const Role role = known != nullptr ? known->role : Role::Object;
    if (role == Role::Cluster) target.kind = Target::Kind::Cluster;
    if (role == Role::ControlPlane) target.kind = Target::Kind::ControlPlane;
    if (role == Role::Pool) target.kind = Target::Kind::Pool;
    if (role == Role::Release) target.kind = Target::Kind::Release;
    Drafts::Draft& draft = drafts_.of(std::move(target));
    if (draft.by.empty() && known != nullptr) draft.by = known->by;
    if (role != Role::ControlPlane && role != Role::Pool) return draft;
    draft.before = machines_of(old_machines_, object);
    draft.after = machines_of(new_machines_, object);
    return draft;
  }

  static const MachineSet* machines_of(const std::optional<Machines>& machines, const Object& owner) {
    if (!machines) return nullptr;
    const auto& sets = machines->sets();
    const auto found = std::find_if(sets.begin(), sets.end(), [&](const MachineSet& set) {
      return set.owner->kind == owner.kind && set.owner->space == owner.space && set.owner->name == owner.name;
    });
    return found == sets.end() ? nullptr : &*found;
  }

  Reason reason_of(const ObjectPair& pair, const Change& change, std::string note, std::string source = {}) const {
    return {std::string(pair.after->kind), std::string(own_name(*pair.after)), diff::record_of(change, before_, after_),
            std::move(note), std::move(source)};
  }

  const ClusterDiff& diff_;
  Side* before_;
  Side* after_;
  const Server& server_;
  std::optional<Machines> old_machines_, new_machines_;
  Drafts drafts_;
};

}  // namespace

ClusterPlan left_in_tree(ClusterPlan plan) {
  Action action;
  action.target = {Target::Kind::Cluster, "Cluster", "", plan.cluster};
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
