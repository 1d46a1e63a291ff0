// Only uses field names that Cluster API v1beta1 and v1beta2 share.
#include "plan/topology.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "lint/facts/versions.h"
#include "rotation/naming.h"

namespace capwright::plan {
namespace {

constexpr std::string_view kTopology = "topology", kWorkers = "workers";

const diff::Object* find_object(const diff::Side& side, std::string_view kind, std::string_view space,
                                std::string_view name) {
  for (const diff::Object& object : side.objects()) {
    if (object.kind == kind && object.name == name && (object.space == space || object.space.empty())) return &object;
  }
  return nullptr;
}

std::string_view text_at(const Value& value, std::string_view path) {
  const Value* found = value_at(value, path);
  return found != nullptr && found->is(Kind::String) ? found->text() : std::string_view();
}

const diff::Object* class_of(const diff::Object& cluster, const diff::Side& side) {
  for (const char* path : {"spec.topology.classRef.name", "spec.topology.class"}) {
    const std::string_view name = text_at(cluster.value, path);
    if (name.empty()) continue;
    std::string_view space = text_at(cluster.value, "spec.topology.classRef.namespace");
    if (space.empty()) space = text_at(cluster.value, "spec.topology.classNamespace");
    return find_object(side, "ClusterClass", space.empty() ? cluster.space : space, name);
  }
  return nullptr;
}

void add_template(std::string_view role, const Value* holder, const diff::Object& owner, const diff::Side& side,
                  std::vector<ClassTemplate>& found) {
  if (holder == nullptr) return;
  for (const char* key : {"templateRef", "ref"}) {
    const Value* reference = holder->find(key);
    if (reference == nullptr || !reference->is(Kind::Map)) continue;
    const std::string_view kind = text_at(*reference, "kind"), name = text_at(*reference, "name");
    found.push_back({role, kind, name, find_object(side, kind, owner.space, name)});
    return;
  }
}

// The class of a pool, in the lists of a ClusterClass.
const Value* worker_class(const MachineSet& set, const diff::Object& owner) {
  const std::string list = set.kind == "MachinePool" ? "spec.workers.machinePools" : "spec.workers.machineDeployments";
  const Value* items = value_at(owner.value, list);
  if (items == nullptr || !items->is(Kind::List)) return nullptr;
  const std::string_view name = text_at(*set.asks, "class");
  const auto found = std::find_if(items->items().begin(), items->items().end(),
                                  [&](const Value& item) { return text_at(item, "class") == name; });
  return found == items->items().end() ? nullptr : &*found;
}

}  // namespace

std::vector<ClassTemplate> class_templates(const MachineSet& set, const diff::Side& side) {
  std::vector<ClassTemplate> found;
  const diff::Object* owner = set.topology.empty() ? nullptr : class_of(*set.owner, side);
  if (owner == nullptr) return found;
  if (set.is_control_plane()) {
    const Value* plane = value_at(owner->value, "spec.controlPlane");
    add_template("control plane", plane, *owner, side, found);
    add_template("infrastructure", plane != nullptr ? plane->find("machineInfrastructure") : nullptr, *owner, side,
                 found);
    return found;
  }
  const Value* worker = worker_class(set, *owner);
  const Value* old_form = worker != nullptr ? worker->find("template") : nullptr;
  const Value* holder = old_form != nullptr ? old_form : worker;
  if (holder == nullptr) return found;
  for (const char* role : {"bootstrap", "infrastructure"}) add_template(role, holder->find(role), *owner, side, found);
  return found;
}

const diff::Object* control_plane_template(const diff::Object& cluster, const diff::Side& side) {
  const diff::Object* owner = class_of(cluster, side);
  std::vector<ClassTemplate> found;
  if (owner != nullptr) add_template("", value_at(owner->value, "spec.controlPlane"), *owner, side, found);
  return found.empty() ? nullptr : found.front().object;
}

std::string refused_topology_version(const diff::Object& before, const diff::Object& after, const diff::Side& side) {
  constexpr std::string_view kVersion = "spec.topology.version";
  const std::string_view was = text_at(before.value, kVersion), is = text_at(after.value, kVersion);
  const auto old_version = lint::kubernetes_version(was), version = lint::kubernetes_version(is);
  if (!old_version || !version) return {};
  const auto order = [](const lint::KubernetesVersion& each) { return std::pair(each.minor, each.patch.value_or(0)); };
  if (order(*version) < order(*old_version))
    return fmt::format("the version can't be decreased from {} to {}", was, is);
  const diff::Object* owner = class_of(after, side);
  if (version->minor < old_version->minor + 2 || owner == nullptr) return {};
  const Value* planned = value_at(owner->value, "spec.kubernetesVersions");
  const bool has_steps = planned != nullptr && planned->is(Kind::List) && !planned->items().empty();
  if (has_steps || value_at(owner->value, "spec.upgrade.external.generateUpgradePlanExtension") != nullptr) return {};
  return fmt::format("the version can't be increased from {} to {}, more than one minor", was, is);
}

bool is_of_class(const diff::Object& object, const diff::Side& side) {
  if (!object.kind.ends_with(kTemplate)) return false;
  return std::any_of(side.objects().begin(), side.objects().end(), [&](const diff::Object& each) {
    return each.kind == "ClusterClass" && each.space == object.space && mentions(each.value, object.name);
  });
}

bool is_made_otherwise(const std::vector<ClassTemplate>& before, const std::vector<ClassTemplate>& after) {
  for (const ClassTemplate& now : after) {
    const auto was =
        std::find_if(before.begin(), before.end(), [&](const auto& each) { return each.role == now.role; });
    if (was == before.end() || now.role == "control plane") continue;
    if (was->kind != now.kind) return true;
    if (was->object == nullptr || now.object == nullptr) {
      if (was->name != now.name) return true;
      continue;
    }
    const Value* old_spec = rotation::template_spec(was->object->value);
    const Value* spec = rotation::template_spec(now.object->value);
    if (old_spec != nullptr && spec != nullptr && !json_equal(*old_spec, *spec)) return true;
  }
  return false;
}

bool is_same_control_plane(const std::vector<ClassTemplate>& before, const std::vector<ClassTemplate>& after) {
  const auto is_plane = [](const ClassTemplate& each) { return each.role == "control plane"; };
  const auto was = std::find_if(before.begin(), before.end(), is_plane);
  const auto now = std::find_if(after.begin(), after.end(), is_plane);
  if (was == before.end() || now == after.end()) return was == before.end() && now == after.end();
  if (was->object == nullptr || now->object == nullptr) return was->kind == now->kind && was->name == now->name;
  const Value* old_spec = rotation::template_spec(was->object->value);
  const Value* spec = rotation::template_spec(now->object->value);
  return was->kind == now->kind && old_spec != nullptr && spec != nullptr && json_equal(*old_spec, *spec);
}

bool are_generations(const std::vector<ClassTemplate>& before, const std::vector<ClassTemplate>& after) {
  return std::equal(before.begin(), before.end(), after.begin(), after.end(), [](const auto& was, const auto& now) {
    if (was.object == nullptr || now.object == nullptr || was.kind != now.kind) return false;
    return was.name == now.name || (!was.object->base.empty() && was.object->base == now.object->base);
  });
}

Value made_from(const diff::Object& of, Arena& arena) {
  const auto entry = [&](std::string_view key, const Value& value) { return Entry{make_key(arena, key), value}; };
  const auto text = [&](std::string_view value) { return make_string(arena, value); };
  const Entry metadata[] = {entry("name", text(of.name)), entry("namespace", text(of.space))};
  const Value* spec = rotation::template_spec(of.value);
  const Entry entries[] = {entry("apiVersion", text(fmt::format("{}/{}", of.group, of.version))),
                           entry("kind", text(of.kind.substr(0, of.kind.size() - kTemplate.size()))),
                           entry("metadata", make_map(arena, metadata)),
                           entry("spec", spec != nullptr ? *spec : make_map(arena, {}))};
  return make_map(arena, entries);
}

std::vector<const MachineSet*> sets_at(const diff::ObjectPair& cluster, const diff::Path& path,
                                       const Machines& machines) {
  std::vector<const MachineSet*> found;
  if (path.size() < 3 || path[1].text != kTopology) return found;
  const std::string& part = path[2].text;
  std::string_view name = part == "controlPlane" ? kTopologyControlPlane : std::string_view();
  if (part == kWorkers) {
    const Value* items =
        path.size() > 5 ? value_at(cluster.after->value, "spec.topology.workers." + path[3].text) : nullptr;
    if (items == nullptr || path[4].index >= items->items().size()) return found;
    name = text_at(items->items()[path[4].index], "name");
  }
  for (const MachineSet& set : machines.sets()) {
    const bool is_here = !set.topology.empty() && set.owner == cluster.after;
    if (is_here && (name.empty() || set.topology == name)) found.push_back(&set);
  }
  return found;
}

}  // namespace capwright::plan
