// The effects of fields in the catalogue, and the decisions of gates.
#include <catch2/catch.hpp>

#include "plan/effects.h"
#include "plan/gate.h"
#include "value/stage.h"
#include "yaml/read.h"

namespace capwright::plan {
namespace {

constexpr std::string_view kMachines = "cluster.x-k8s.io", kControlPlanes = "controlplane.cluster.x-k8s.io";

diff::Path path_of(std::initializer_list<const char*> keys) {
  diff::Path path;
  for (const char* key : keys) path.push_back({diff::Step::Kind::Key, false, key, 0, 0});
  return path;
}

// An object from YAML, and the sources of its values.
class Sample {
 public:
  explicit Sample(std::string text) { value_ = read_yaml(sources_.add("x.yaml", std::move(text)), stage_); }
  const Value& value() const { return value_; }

 private:
  SourceSet sources_;
  Sink sink_;
  Arena arena_;
  OriginTable origins_;
  const Limits limits_;
  Stage stage_{sources_, sink_, arena_, origins_, limits_};
  Value value_;
};

Action action_of(Verb verb, Target::Kind target, std::int64_t machines) {
  Action action;
  action.verb = verb;
  action.target.kind = target;
  action.machines = MachineCount::of(machines);
  return action;
}

}  // namespace

TEST_CASE("a field without an entry has no known effect", "[plan]") {
  const KindEffects* pool = effects_of(kMachines, "MachineDeployment");
  REQUIRE(pool != nullptr);
  CHECK(effect_at(pool, path_of({"spec", "unheardOf"}), Value()) == nullptr);
  CHECK(effect_at(nullptr, path_of({"spec", "x"}), Value()) == nullptr);
  CHECK(effects_of("example.com", "MachineDeployment") == nullptr);
}

TEST_CASE("the first entry that matches a path counts", "[plan]") {
  const KindEffects* control_plane = effects_of(kControlPlanes, "KubeadmControlPlane");
  REQUIRE(control_plane != nullptr);
  const auto effect = [&](std::initializer_list<const char*> keys) {
    const FieldEffect* entry = effect_at(control_plane, path_of(keys), Value());
    REQUIRE(entry != nullptr);
    CHECK_FALSE(entry->source.empty());
    return entry->effect;
  };
  CHECK(effect({"spec", "replicas"}) == Effect::Scale);
  CHECK(effect({"spec", "version"}) == Effect::Upgrade);
  CHECK(effect({"spec", "kubeadmConfigSpec", "files"}) == Effect::Roll);
  CHECK(effect({"spec", "machineTemplate", "spec", "deletion"}) == Effect::InPlace);
  CHECK(effect({"spec", "machineTemplate", "spec", "infrastructureRef", "name"}) == Effect::Roll);
  CHECK(effect({"metadata", "labels", "x"}) == Effect::InPlace);
}

TEST_CASE("conditions are evaluated on the object after the change", "[plan]") {
  const KindEffects* pool = effects_of(kMachines, "MachineDeployment");
  const Sample by_hand("spec: {rollout: {strategy: {type: OnDelete}}}"), rolling("spec: {}");
  const diff::Path path = path_of({"spec", "template", "spec", "infrastructureRef", "name"});
  CHECK(effect_at(pool, path, by_hand.value())->effect == Effect::NoOp);
  CHECK(effect_at(pool, path, rolling.value())->effect == Effect::Roll);
  const KindEffects* cycled = effects_of("infrastructure.cluster.x-k8s.io", "OCIManagedMachinePool");
  const Sample cycles("spec: {nodePoolCyclingDetails: {isNodeCyclingEnabled: true}}");
  CHECK(effect_at(cycled, path_of({"spec", "nodeShape"}), cycles.value())->effect == Effect::Roll);
  CHECK(effect_at(cycled, path_of({"spec", "nodeShape"}), rolling.value())->effect == Effect::NoOp);
}

TEST_CASE("a gate accepts only its keywords", "[plan]") {
  Gate gate;
  for (const char* word :
       {"delete", "roll", "roll-control-plane", "in-place", "in-place-object", "no-op", "any", "sync-add-on"})
    CHECK(gate.forbid(word));
  for (const char* word : {"", "rolls", "control-plane", "roll-", "roll-node", "any-pool"})
    CHECK_FALSE(gate.forbid(word));
  for (const char* most : {"0", "20", "5%", "2.5%"}) CHECK(gate.limit(most));
  for (const char* most : {"", "%", "-1", "5 %", "many"}) CHECK_FALSE(gate.limit(most));
}

TEST_CASE("an upgrade counts as a roll, and an allowed deletion passes", "[plan]") {
  ClusterPlan plan;
  plan.cluster = "lab-1";
  plan.actions = {action_of(Verb::Upgrade, Target::Kind::ControlPlane, 3), action_of(Verb::Roll, Target::Kind::Pool, 2),
                  action_of(Verb::Delete, Target::Kind::Cluster, 5)};
  const auto broken = [&](const Gate& gate) {
    return gate.broken_by(std::span(&plan, 1), MachineCount::of(100)).size();
  };
  Gate rolls, deletes, few, many;
  CHECK(rolls.forbid("roll-control-plane"));
  CHECK(broken(rolls) == 1);
  CHECK(deletes.forbid("delete"));
  CHECK(broken(deletes) == 1);
  deletes.allow_delete({"lab-*"});
  CHECK(broken(deletes) == 0);
  CHECK(few.limit("4.9%"));
  CHECK(broken(few) == 1);
  CHECK(many.limit("5%"));
  CHECK(broken(many) == 0);
}

TEST_CASE("machines that an autoscaler may add count, and an unknown number exceeds every limit", "[plan]") {
  ClusterPlan plan;
  plan.cluster = "lab-1";
  plan.actions = {action_of(Verb::Roll, Target::Kind::Pool, 3)};
  plan.actions[0].target.name = "lab-1-gpu";
  MachineCount& count = plan.actions[0].machines;
  const auto broken = [&](std::string_view most) {
    Gate gate;
    CHECK(gate.limit(most));
    const auto lines =
        gate.broken_by(std::span(&plan, 1), {13, count.most ? std::optional<std::int64_t>(20) : count.most});
    return lines.empty() ? "" : lines.front();
  };
  count.most = 10;
  CHECK(broken("9") == "`--max-roll 9`: 3 to 10 of 13 to 20 machines are replaced");
  CHECK(broken("10").empty());
  CHECK(broken("50%").empty());  // 10 of 10, plus 10 others
  CHECK(broken("49%") == "`--max-roll 49%`: 3 to 10 of 13 to 20 machines are replaced");
  count.most.reset();
  CHECK(broken("100%") == "`--max-roll 100%`: how many machines are replaced isn't known of lab-1 (pool lab-1-gpu)");
}

}  // namespace capwright::plan
