// Add-ons whose release leaves the tree while another one comes, such as an Application that becomes a HelmRelease:
// the old tool uninstalls what it installed, whatever the new one made of it.
#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <string_view>

#include "plan/planner.h"
#include "rotation/naming.h"
#include "text/kubectl.h"

namespace capwright::plan {
namespace {

using diff::Object;
using diff::ObjectPair;
using Role = KindEffects::Role;

// The add-on's id in the trees that capwright renders: the names of releases may differ by delivery.
std::string_view addon_of(const Object& release) {
  const Value* labels = value_at(release.value, "metadata.labels");
  const auto name = labels != nullptr ? rotation::string_at(*labels, "app.kubernetes.io/name") : std::nullopt;
  return name ? *name : std::string_view();
}

bool is_same_addon(const Object& a, const Object& b) {
  const std::string_view was = addon_of(a), is = addon_of(b);
  return was.empty() || is.empty() ? a.name == b.name : was == is;
}

std::string command_of(std::string_view pattern, const Object& object) {
  return kubectl_filled(pattern, object.group, object.kind, object.name, object.space);
}

// "a HelmRelease", "an Application".
std::string with_article(std::string_view kind) {
  const bool is_vowel = std::string_view("AEIOU").find(kind.front()) != std::string_view::npos;
  return fmt::format("{} {}", is_vowel ? "an" : "a", kind);
}

}  // namespace

bool Planner::has_pair(ObjectPair::Kind kind, Role role) const {
  return std::any_of(diff_.pairs.begin(), diff_.pairs.end(), [&](const ObjectPair& pair) {
    const KindEffects* known = effects_of(pair.object().group, pair.object().kind);
    return pair.kind == kind && known != nullptr && known->role == role;
  });
}

const Object* Planner::successor_of(const Object& release) const {
  // With the Cluster, everything that runs in it is deleted anyway.
  if (has_pair(ObjectPair::Kind::Removed, Role::Cluster)) return nullptr;
  for (const ObjectPair& pair : diff_.pairs) {
    if (pair.kind != ObjectPair::Kind::Added) continue;
    const KindEffects* known = effects_of(pair.after->group, pair.after->kind);
    if (known != nullptr && known->role == Role::Release && is_same_addon(release, *pair.after)) return pair.after;
  }
  return nullptr;
}

// Many clusters share the note, so it has no names.
void Planner::add_successor(const Object& release, const Object& successor, const Fate& fate, Drafts::Draft& draft,
                            std::string& note) const {
  const KindEffects& known = *effects_of(release.group, release.kind);
  const std::string heir = release.kind == successor.kind ? fmt::format("the {} in another namespace", successor.kind)
                                                          : with_article(successor.kind);
  if (!note.empty()) note += "; ";
  note += fate.goes
              ? fmt::format("{} installs the add-on again, but the deletion of this {} uninstalls it, maybe after that",
                            heir, release.kind)
              : fmt::format("{} installs the add-on, too; the deletion of this {} uninstalls it for both", heir,
                            release.kind);
  if (!known.why_not_kept.empty()) note += fmt::format("; {}", known.why_not_kept);
  note += " (docs/addons.md#change-the-delivery)";
  draft.successor = {Target::Kind::Release, std::string(successor.kind), std::string(successor.space),
                     std::string(successor.name)};
  // The tool that applies the tree would restore a finalizer.
  const std::string_view keep = fate.goes && !known.finalizer.empty() ? removal_->delivery().hold : known.keep;
  if (!keep.empty()) (fate.goes ? draft.first : draft.commands).push_back(command_of(keep, release));
}

void Planner::add_registration(const Object& object, std::string& note) const {
  if (object.kind != "ExternalSecret" || has_pair(ObjectPair::Kind::Removed, Role::Cluster)) return;
  const Value* labels = value_at(object.value, "spec.target.template.metadata.labels");
  const bool registers = labels != nullptr && labels->find("argocd.argoproj.io/secret-type") != nullptr;
  const Value* policy = value_at(object.value, "spec.target.creationPolicy");
  const bool owns = policy == nullptr || (policy->is(Kind::String) && policy->text() == "Owner");
  if (!registers || !owns) return;
  note += fmt::format(
      "{}the registration in Argo CD is deleted with it: the add-ons run on, and aren't updated until the cluster is "
      "registered in another way",
      note.empty() ? "" : "; ");
}

void Planner::add_cluster_first(const Object& cluster, std::string& note, std::vector<std::string>& first) const {
  const std::string_view why = removal_->delivery().cluster_first;
  if (why.empty()) return;
  note += fmt::format("{}{}; {}", note.empty() ? "" : "; ", why, kCloudFirst);
  first.push_back(delete_command(cluster));
}

}  // namespace capwright::plan
