// Finds owners by the catalogue, and their parts by the references in them.
#include "plan/machine_sets.h"

#include <algorithm>
#include <charconv>

#include "plan/topology.h"
#include "rotation/naming.h"

namespace capwright::plan {
namespace {

void add_references(const Value& value, std::vector<MachineSet::Reference>& found) {
  if (value.is(Kind::Map)) {
    const auto kind = rotation::string_at(value, "kind"), name = rotation::string_at(value, "name");
    if (kind && name) found.push_back({*kind, *name});
    for (const Entry& entry : value.entries()) add_references(entry.value, found);
  } else if (value.is(Kind::List)) {
    for (const Value& item : value.items()) add_references(item, found);
  }
}

// Annotations of a pool whose size an autoscaler or a cloud controls.
constexpr std::string_view kFewest = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";
constexpr std::string_view kMost = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
constexpr std::string_view kCountedBy = "cluster.x-k8s.io/replicas-managed-by";

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

// Fills in the counts. Cluster API defaults to one machine.
void count_machines(MachineSet& set, std::string_view replicas_at) {
  if (set.known->managed) return;
  set.count = MachineCount::unknown();
  if (set.known->replicas.empty()) return;
  const auto annotation = [&](std::string_view key) -> std::optional<std::string_view> {
    const Value* annotations = value_at(*set.asks, "metadata.annotations");
    return annotations != nullptr ? rotation::string_at(*annotations, key) : std::nullopt;
  };
  const auto fewest = annotation(kFewest), most = annotation(kMost);
  const Value* replicas = value_at(*set.asks, replicas_at);
  const bool is_free = fewest || most || annotation(kCountedBy);
  // The API server rejects a negative number.
  if (replicas != nullptr && replicas->is(Kind::Int) && replicas->as_int() >= 0) set.replicas = replicas->as_int();
  if (replicas == nullptr && !is_free) set.replicas = 1;
  if (fewest && most) {
    set.fewest = number_of(*fewest);
    set.most = number_of(*most);
    set.count = {set.fewest.value_or(0), set.most};
  } else if (set.replicas && !annotation(kCountedBy)) {
    set.count = MachineCount::of(*set.replicas);
  }
}

// The controllers of the machines in a topology, unless its class sets others.
constexpr std::string_view kCoreGroup = "cluster.x-k8s.io";
constexpr std::pair<std::string_view, std::string_view> kWorkerLists[] = {{"machineDeployments", "MachineDeployment"},
                                                                          {"machinePools", "MachinePool"}};

}  // namespace

bool MachineSet::refers_to(std::string_view of_kind, std::string_view name) const {
  return std::any_of(references.begin(), references.end(),
                     [&](const Reference& each) { return each.kind == of_kind && each.name == name; });
}

Machines::Machines(const diff::Side& side) {
  for (const diff::Object& object : side.objects()) {
    const KindEffects* known = effects_of(object.group, object.kind);
    if (known == nullptr) continue;
    if (known->role == KindEffects::Role::Cluster) add_topology(object, side);
    if (known->role != KindEffects::Role::ControlPlane && known->role != KindEffects::Role::Pool) continue;
    MachineSet& set = sets_.emplace_back();
    set.owner = &object;
    set.known = known;
    set.kind = object.kind;
    set.asks = &object.value;
    count_machines(set, known->replicas);
    const Value* version = known->version.empty() ? nullptr : value_at(object.value, known->version);
    if (version != nullptr && version->is(Kind::String)) set.version = version->text();
    if (const Value* spec = object.value.find("spec")) add_references(*spec, set.references);
  }
}

void Machines::add_topology(const diff::Object& cluster, const diff::Side& side) {
  const Value* topology = value_at(cluster.value, "spec.topology");
  if (topology == nullptr || !topology->is(Kind::Map)) return;
  const auto add = [&](std::string_view api_group, std::string_view made, std::string_view name, const Value& asks) {
    MachineSet set;
    set.owner = &cluster;
    set.known = effects_of(api_group, made);
    if (set.known == nullptr) return;
    set.kind = made;
    set.topology = name;
    set.asks = &asks;
    count_machines(set, "replicas");
    set.version = rotation::string_at(*topology, "version").value_or("");
    sets_.push_back(std::move(set));
  };
  const Value* plane = topology->find("controlPlane");
  const diff::Object* made_from = control_plane_template(cluster, side);
  std::string_view group = "controlplane.cluster.x-k8s.io", kind = "KubeadmControlPlane";
  if (made_from != nullptr && made_from->kind.ends_with(kTemplate)) {
    group = made_from->group;
    kind = made_from->kind.substr(0, made_from->kind.size() - kTemplate.size());
  }
  add(group, kind, kTopologyControlPlane, plane != nullptr ? *plane : *topology);
  for (const auto& [list, worker] : kWorkerLists) {
    const Value* workers = topology->find("workers");
    const Value* items = workers != nullptr ? workers->find(list) : nullptr;
    if (items == nullptr || !items->is(Kind::List)) continue;
    for (const Value& item : items->items())
      add(kCoreGroup, worker, rotation::string_at(item, "name").value_or(""), item);
  }
}

const MachineSet* Machines::find(const MachineSet& other) const {
  const auto found = std::find_if(sets_.begin(), sets_.end(), [&](const MachineSet& set) {
    return set.kind == other.kind && set.topology == other.topology && set.owner->space == other.owner->space &&
           set.owner->name == other.owner->name;
  });
  return found == sets_.end() ? nullptr : &*found;
}

std::vector<const MachineSet*> Machines::made_with(const diff::Object& part) const {
  std::vector<const MachineSet*> found;
  for (const MachineSet& set : sets_) {
    if (set.owner->space == part.space && set.refers_to(part.kind, part.name)) found.push_back(&set);
  }
  return found;
}

MachineCount Machines::total() const {
  MachineCount total;
  for (const MachineSet& set : sets_) total += set.count;
  return total;
}

Target target_of(const MachineSet& set) {
  const bool is_plane = set.is_control_plane();
  const std::string_view own = set.owner->base.empty() ? set.owner->name : set.owner->base;
  return {is_plane ? Target::Kind::ControlPlane : Target::Kind::Pool, std::string(set.kind),
          std::string(set.owner->space), std::string(set.topology.empty() || is_plane ? own : set.topology)};
}

const diff::Object* cluster_of(const MachineSet& set, const diff::Side& side) {
  const Value* spec = set.owner->value.find("spec");
  const auto named = spec != nullptr ? rotation::string_at(*spec, "clusterName") : std::nullopt;
  for (const diff::Object& object : side.objects()) {
    const KindEffects* known = effects_of(object.group, object.kind);
    if (known == nullptr || known->role != KindEffects::Role::Cluster || object.space != set.owner->space) continue;
    const bool is_it = named ? object.name == *named : &object == set.owner || mentions(object.value, set.owner->name);
    if (is_it) return &object;
  }
  return nullptr;
}

MachineCount machines_in_values(const Value& values) {
  const auto count_at = [](const Value& map, std::string_view path) -> std::int64_t {
    const Value* count = value_at(map, path);
    return count != nullptr && count->is(Kind::Int) ? count->as_int() : 0;
  };
  MachineCount machines = MachineCount::of(count_at(values, "control_plane_count"));
  const Value* pools = values.find("worker_pools");
  if (pools == nullptr || !pools->is(Kind::List)) return machines;
  for (const Value& pool : pools->items()) {
    const bool is_scaled = pool.find("autoscaling") != nullptr;
    machines += is_scaled ? MachineCount{count_at(pool, "autoscaling.min"), count_at(pool, "autoscaling.max")}
                          : MachineCount::of(count_at(pool, "count"));
  }
  return machines;
}

MachineCount machines_in_render(diff::Side& side) {
  side.read_all();
  return Machines(side).total();
}

bool refers_to(const Value& object, std::string_view kind, std::string_view name) {
  std::vector<MachineSet::Reference> references;
  if (const Value* spec = object.find("spec")) add_references(*spec, references);
  return std::any_of(references.begin(), references.end(),
                     [&](const auto& each) { return each.kind == kind && each.name == name; });
}

bool mentions(const Value& object, std::string_view name) {
  if (object.is(Kind::String)) return object.text() == name;
  if (object.is(Kind::Map)) {
    return std::any_of(object.entries().begin(), object.entries().end(),
                       [&](const Entry& entry) { return mentions(entry.value, name); });
  }
  return object.is(Kind::List) && std::any_of(object.items().begin(), object.items().end(),
                                              [&](const Value& item) { return mentions(item, name); });
}

}  // namespace capwright::plan
