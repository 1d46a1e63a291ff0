// What leaves the tree.
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/reader_gaps.h"
#include "plan/planner.h"
#include "rotation/naming.h"
#include "text/kubectl.h"

namespace capwright::plan {

using diff::ClusterDiff;
using diff::Object;
using diff::ObjectPair;
using Role = KindEffects::Role;

namespace {

constexpr std::string_view kClusterLabel = "cluster.x-k8s.io/cluster-name";

// Of all releases of a cluster at once, if they have its label.
std::string command_for(const Object& release) {
  const Value* labels = value_at(release.value, "metadata.labels");
  const auto cluster = labels != nullptr ? rotation::string_at(*labels, kClusterLabel) : std::nullopt;
  if (!cluster) return delete_command(release);
  return kubectl_delete_selected(release.group, release.kind, fmt::format("{}={}", kClusterLabel, *cluster),
                                 release.space);
}

void add_once(std::vector<std::string>& commands, std::string command) {
  if (std::find(commands.begin(), commands.end(), command) == commands.end()) commands.push_back(std::move(command));
}

bool is_same(const Object& a, const Object& b) {
  return a.kind == b.kind && a.group == b.group && a.space == b.space && a.name == b.name;
}

bool has(const diff::Side& side, const Object& object) {
  return std::any_of(side.objects().begin(), side.objects().end(),
                     [&](const Object& each) { return is_same(each, object); });
}

// Whether the deletion of the object leaves what it applied, such as the add-on of an Application without a finalizer.
bool leaves_what_it_applied(const Object& object, const KindEffects* known) {
  if (known == nullptr || known->finalizer.empty()) return false;
  const Value* finalizers = value_at(object.value, "metadata.finalizers");
  if (finalizers == nullptr || !finalizers->is(Kind::List)) return true;
  return std::none_of(finalizers->items().begin(), finalizers->items().end(), [&](const Value& item) {
    return item.is(Kind::String) && item.text().starts_with(known->finalizer);
  });
}

// Whether a manifest of the object comes after its removal entry in one folder: Argo CD uses the last manifest of an
// object. The Applications of two folders don't override each other.
bool is_overridden(const Object& entry, const diff::Side& side) {
  const auto folder = [](std::string_view path) { return path.substr(0, path.rfind('/') + 1); };
  return std::any_of(side.objects().begin(), side.objects().end(), [&](const Object& each) {
    const std::string_view path = each.file->path, other = entry.file->path;
    if (!is_same(each, entry) || folder(path) != folder(other)) return false;
    return path == other ? each.where.begin > entry.where.begin : path > other;
  });
}

// Whether a text in the value, at any depth, is `wanted`.
bool has_text(const Value& value, std::string_view wanted) {
  if (value.is(Kind::String)) return value.text() == wanted;
  if (value.is(Kind::List))
    return std::ranges::any_of(value.items(), [&](const Value& item) { return has_text(item, wanted); });
  return value.is(Kind::Map) &&
         std::ranges::any_of(value.entries(), [&](const Entry& entry) { return has_text(entry.value, wanted); });
}

}  // namespace

Action Planner::whole_cluster(const MachineCount& machines) const {
  const bool is_new = diff_.kind == ClusterDiff::Kind::Added;
  Action action;
  action.verb = is_new ? Verb::Create : Verb::Delete;
  action.target = {Target::Kind::Cluster, "Cluster", "", diff_.cluster};
  action.machines = machines;
  for (const Object& object : (is_new ? after_ : before_)->objects()) {
    const KindEffects* known = effects_of(object.group, object.kind);
    if (known != nullptr && known->role == Role::Cluster) action.target.space = object.space;
  }
  if (!is_new) add_deletion(action);
  return action;
}

void Planner::add_deletion(Action& action) const {
  std::vector<std::string> clusters;  // commands that delete them, which come last
  std::string note(removal_->deletes_folders() ? "" : removal_->why_folders_stay());
  bool runs = false;
  for (const Object& object : before_->objects()) {
    if (object.kind.empty()) continue;  // values of an add-on
    const Fate fate = removal_->fate_of(object);
    const KindEffects* known = effects_of(object.group, object.kind);
    const Role role = known != nullptr ? known->role : Role::Object;
    if (role == Role::Cluster && removal_->deletes_folders()) note = fate.note;
    if (role == Role::Cluster && fate.goes) add_cluster_first(object, note, action.first);
    if (fate.goes) continue;
    if (role == Role::Cluster) clusters.push_back(delete_command(object));
    if (role == Role::Release) add_once(action.commands, command_for(object));
    runs = runs || known == nullptr || role != Role::Object;
  }
  const bool deletes_others = removal_->deletes_folders() && clusters.empty();
  if (!deletes_others) action.verb = runs ? Verb::Orphan : Verb::NoOp;
  if (!action.commands.empty()) note += fmt::format("; {}", kCloudFirst);
  std::move(clusters.begin(), clusters.end(), std::back_inserter(action.commands));
  if (!note.empty()) action.reasons.push_back({.object = "Cluster", .name = diff_.cluster, .note = std::move(note)});
}

void Planner::removed(const Object& object) {
  const KindEffects* known = effects_of(object.group, object.kind);
  const bool is_part = known != nullptr && (known->role == Role::Template || known->role == Role::PoolPart);
  const Fate fate = removal_->fate_of(object);
  if (is_part && (fate.is_kept_on_purpose || !old_machines_->made_with(object).empty())) return;
  if (object.kind.empty() && !releases_with(object, *before_).empty()) return;
  Drafts::Draft& draft = draft_of(object, known);
  if (object.kind.empty() && is_chart_values(object.name))
    return Drafts::add(draft, Verb::NoOp, {.note = std::string(kUnreadValues)});
  const bool is_cluster = known != nullptr && known->role == Role::Cluster;
  if (is_cluster) draft.besides = machines_besides(object, *old_machines_);
  const bool runs = draft.before != nullptr || is_cluster;
  const bool leaves = fate.goes && leaves_what_it_applied(object, known);
  Verb verb = Verb::Orphan;
  if (fate.goes && !leaves) verb = Verb::Delete;
  else if (is_part || (fate.is_kept_on_purpose && !runs)) verb = Verb::NoOp;
  draft.reasons[verb];
  draft.maker = diff::maker_of(object, *before_);
  Reason reason{.object = std::string(object.kind), .name = std::string(own_name(object)), .note = fate.note};
  if (leaves) {
    reason.note += fmt::format("{}the {} is deleted, and what it applied stays: it has no finalizer `{}`",
                               reason.note.empty() ? "" : "; ", object.kind, known->finalizer);
  }
  if (draft.before != nullptr) add_new_name(*draft.before, fate.goes, reason.note);
  const bool is_release = known != nullptr && known->role == Role::Release;
  const Object* successor = is_release && !leaves && !fate.is_kept_on_purpose ? successor_of(object) : nullptr;
  if (successor != nullptr) add_successor(object, *successor, fate, draft, reason.note);
  if (fate.goes) add_registration(object, reason.note);
  if (is_cluster && fate.goes && !has_pair(ObjectPair::Kind::Added, Role::Cluster))
    add_cluster_first(object, reason.note, draft.first);
  if (!reason.note.empty()) Drafts::add(draft, verb, std::move(reason));
  if (verb == Verb::Orphan && !leaves && !object.kind.empty()) draft.commands.push_back(delete_command(object));
}

void Planner::add_new_name(const MachineSet& gone, bool goes, std::string& note) const {
  const std::string_view name = renamed_to(gone, *old_machines_, *new_machines_);
  if (name.empty()) return;
  note +=
      fmt::format("{}`{}` has the same spec under another name: {}", note.empty() ? "" : "; ", name,
                  goes ? "its machines are deleted, and new ones created" : "both pools run until you delete this one");
}

MachineCount Planner::machines_besides(const Object& cluster, const Machines& machines) const {
  MachineCount sum;
  for (const MachineSet& set : machines.sets()) {
    const bool is_alone =
        set.owner == &cluster || std::none_of(diff_.pairs.begin(), diff_.pairs.end(), [&](const ObjectPair& pair) {
          return (pair.kind == ObjectPair::Kind::Removed && pair.before == set.owner) ||
                 (pair.kind == ObjectPair::Kind::Added && pair.after == set.owner);
        });
    if (is_alone) sum += set.count;
  }
  return sum;
}

bool Planner::is_needed(const Object& object) const {
  const auto refers = [&](const Object& cluster, std::string_view path) {
    const Value* reference = value_at(cluster.value, path);
    return reference != nullptr && reference->text_at("kind") == object.kind &&
           reference->text_at("name") == object.name;
  };
  return std::any_of(before_->objects().begin(), before_->objects().end(), [&](const Object& each) {
    const KindEffects* known = effects_of(each.group, each.kind);
    return known != nullptr && known->role == Role::Cluster && after_ != nullptr && has(*after_, each) &&
           (refers(each, "spec.controlPlaneRef") || refers(each, "spec.infrastructureRef"));
  });
}

const Object* Planner::user_of(const Object& secret) const {
  if (after_ == nullptr || !secret.is_secret()) return nullptr;
  const auto uses = [&](const Object& each) {
    if (each.kind.empty() || each.space != secret.space || each.is_secret()) return false;
    const bool makes_same_name = each.kind == "ExternalSecret" || each.kind == "SealedSecret";
    if (makes_same_name && each.name == secret.name) return true;
    const Value* spec = each.value.find("spec");
    return spec != nullptr && has_text(*spec, secret.name);
  };
  const auto found = std::find_if(after_->objects().begin(), after_->objects().end(), uses);
  return found == after_->objects().end() ? nullptr : &*found;
}

void Planner::withhold_commands() {
  const bool is_cluster_refused = std::any_of(refused_.begin(), refused_.end(), [](const Object* each) {
    const KindEffects* known = effects_of(each->group, each->kind);
    return known != nullptr && known->role == Role::Cluster;
  });
  for (const ObjectPair& pair : diff_.pairs) {
    if (pair.kind != ObjectPair::Kind::Removed && pair.kind != ObjectPair::Kind::Dropped) continue;
    const Object& object = *pair.before;
    Drafts::Draft& draft = draft_of(object, effects_of(object.group, object.kind));
    if (draft.commands.empty()) continue;
    const Object* user = user_of(object);
    std::string why;
    if (is_cluster_refused) why = "the change of the Cluster is rejected";
    else if (is_needed(object)) why = "the Cluster needs it";
    else if (user != nullptr) why = fmt::format("the {} `{}` names it", user->kind, user->name);
    else continue;
    draft.commands.clear();
    for (Reason& reason : draft.reasons[Verb::Orphan])
      reason.note += fmt::format("{}don't delete it: {}", reason.note.empty() ? "" : "; ", why);
  }
}

void Planner::plan_tombstones() {
  if (after_ == nullptr || after_->tombstones().empty()) return;
  // A file that is equal on both sides may have the object of an entry, and isn't parsed yet.
  for (Side* side : {before_, after_}) {
    if (side != nullptr) side->read_all();
  }
  for (const Object& object : after_->tombstones()) {
    if (is_overridden(object, *after_)) continue;
    if (before_ != nullptr) {
      const auto& entries = before_->tombstones();
      const bool is_old = std::any_of(entries.begin(), entries.end(), [&](const Object& each) {
        return is_same(each, object) && !is_overridden(each, *before_);
      });
      // removed() plans objects that leave the tree.
      if (is_old || (has(*before_, object) && !has(*after_, object))) continue;
    }
    const KindEffects* known = effects_of(object.group, object.kind);
    Drafts::Draft& draft = draft_of(object, known);
    if (known != nullptr && known->role == Role::Pool) draft.besides = MachineCount::unknown();
    Drafts::add(draft, Verb::Delete,
                {.object = std::string(object.kind),
                 .name = std::string(object.name),
                 .note = fmt::format("`{}` lists it, so that Argo CD deletes it", object.file->path)});
  }
}

}  // namespace capwright::plan
