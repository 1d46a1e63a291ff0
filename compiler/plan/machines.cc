// Owners are told by the catalogue, what they are made with by the references in them.
#include "plan/machines.h"

#include <algorithm>
#include <charconv>

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

// Annotations of a pool whose machines others count.
constexpr std::string_view kFewest = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size";
constexpr std::string_view kMost = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";
constexpr std::string_view kCountedBy = "cluster.x-k8s.io/replicas-managed-by";

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return is_number ? std::optional(number) : std::nullopt;
}

// Fills in how many; Cluster API makes one machine where nobody says it.
void count_machines(MachineSet& set) {
  if (set.known->managed) return;
  set.count = MachineCount::unknown();
  if (set.known->replicas.empty()) return;
  const auto annotation = [&](std::string_view key) -> std::optional<std::string_view> {
    const Value* annotations = value_at(set.owner->value, "metadata.annotations");
    return annotations != nullptr ? rotation::string_at(*annotations, key) : std::nullopt;
  };
  const auto fewest = annotation(kFewest), most = annotation(kMost);
  const Value* replicas = value_at(set.owner->value, set.known->replicas);
  const bool is_free = fewest || most || annotation(kCountedBy);
  if (replicas != nullptr && replicas->is(Kind::Int)) set.replicas = replicas->as_int();
  if (replicas == nullptr && !is_free) set.replicas = 1;
  if (fewest && most) set.count = {number_of(*fewest).value_or(0), number_of(*most)};
  else if (set.replicas && !annotation(kCountedBy)) set.count = MachineCount::of(*set.replicas);
}

}  // namespace

bool MachineSet::refers_to(std::string_view kind, std::string_view name) const {
  return std::any_of(references.begin(), references.end(),
                     [&](const Reference& each) { return each.kind == kind && each.name == name; });
}

Machines::Machines(const diff::Side& side) {
  for (const diff::Object& object : side.objects()) {
    const KindEffects* known = effects_of(object.group, object.kind);
    const bool owns =
        known != nullptr && (known->role == KindEffects::Role::ControlPlane || known->role == KindEffects::Role::Pool);
    if (!owns) continue;
    MachineSet& set = sets_.emplace_back();
    set.owner = &object;
    set.known = known;
    count_machines(set);
    const Value* version = known->version.empty() ? nullptr : value_at(object.value, known->version);
    if (version != nullptr && version->is(Kind::String)) set.version = version->text();
    if (const Value* spec = object.value.find("spec")) add_references(*spec, set.references);
  }
}

const MachineSet* Machines::of(const diff::Object& owner) const {
  const auto found = std::find_if(sets_.begin(), sets_.end(), [&](const auto& set) { return set.owner == &owner; });
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
