// Cluster API's core, beyond its table: labels that follow the cluster's name, selectors, topologies.
#include <fmt/format.h>

#include "admission/checks.h"
#include "admission/edit.h"
#include "admission/special.h"

namespace capwright::admission {
namespace {

constexpr std::string_view kClusterLabel = "cluster.x-k8s.io/cluster-name";
constexpr std::string_view kDeploymentLabel = "cluster.x-k8s.io/deployment-name";
constexpr std::string_view kSetLabel = "cluster.x-k8s.io/set-name";

// Without a selector it selects by its own name.
Value with_own_name(const Value& object, std::string_view name_label, Arena& arena) {
  const Value* name = find(object, "metadata.name");
  const bool selects =
      !is_empty(find(object, "spec.selector.matchLabels")) || !is_empty(find(object, "spec.selector.matchExpressions"));
  if (name == nullptr || selects) return object;
  const Value named = with_member(object, "spec.selector.matchLabels", name_label, *name, arena);
  return with_member(named, "spec.template.metadata.labels", name_label, *name, arena);
}

bool has_cluster(const Value& object) {
  const Value* spec = object.find("spec");
  return spec != nullptr && spec->is(Kind::Map) && find(object, "spec.clusterName") != nullptr;
}

// The rollout defaults: at most one extra machine, no missing one.
Value with_rollout(const Value& object, Arena& arena) {
  const Value* there = find(object, "spec.rollout.strategy.type");
  const bool is_unset = is_empty(there);
  if (!is_unset && (!there->is(Kind::String) || there->text() != "RollingUpdate")) return object;
  const Value* rollout = find(object, "spec.rollout");
  Value filled = rollout == nullptr ? Value() : *rollout;
  bool is_complete = !is_unset;
  const auto fill = [&](std::string_view path, const Value& value) {
    const Value* known = find(filled, path);
    if (known != nullptr && !known->is(Kind::Null)) return;
    filled = with(filled, path, value, arena);
    is_complete = false;
  };
  fill("strategy.rollingUpdate.maxSurge", Value::integer(1));
  fill("strategy.rollingUpdate.maxUnavailable", Value::integer(0));
  if (is_unset) filled = with(filled, "strategy.type", make_string(arena, "RollingUpdate"), arena);
  return is_complete ? object : with(object, "spec.rollout", filled, arena);
}

Value fill_machine_deployment(const Value& object, Arena& arena) {
  if (!has_cluster(object)) return object;
  const Value& cluster = *find(object, "spec.clusterName");
  const Value named = with_own_name(with_rollout(object, arena), kDeploymentLabel, arena);
  const Value selecting = with_member(named, "spec.selector.matchLabels", kClusterLabel, cluster, arena);
  return with_member(selecting, "spec.template.metadata.labels", kClusterLabel, cluster, arena);
}

// Doesn't add the cluster's label to the machines. Go's map of labels creates metadata if there is none.
Value fill_machine_set(const Value& object, Arena& arena) {
  if (!has_cluster(object)) return object;
  const Value named = with_own_name(object, kSetLabel, arena);
  const bool has_metadata = find(named, "spec.template.metadata") != nullptr;
  return has_metadata ? named : with(named, "spec.template.metadata", make_map(arena, {}), arena);
}

void check_selected(Subject& subject, crd::Reason reason) {
  const Value* selector = find(subject.object(), "spec.selector");
  const Value* labels = find(subject.object(), "spec.template.metadata.labels");
  if (selector == nullptr || !selector_fault(*selector).empty()) return;
  if (selects(*selector, labels == nullptr ? Value() : *labels)) return;
  subject.refuse(reason, "spec.template.metadata.labels",
                 fmt::format("must match spec.selector \"{}\"", selector_text(*selector)));
}

void check_machine_deployment(Subject& subject) { check_selected(subject, crd::Reason::Forbidden); }
void check_machine_set(Subject& subject) { check_selected(subject, crd::Reason::Invalid); }

// A topology can be changed only while its ClusterClass exists.
void check_cluster(Subject& subject) {
  const std::string_view name = text_at(subject.object(), "spec.topology.classRef.name");
  if (!subject.is_update() || name.empty() || !subject.stands_alone()) return;
  std::string_view space = text_at(subject.object(), "spec.topology.classRef.namespace");
  if (space.empty()) space = text_at(subject.object(), "metadata.namespace");
  subject.refuse(crd::Reason::NotFound, "spec.topology.class",
                 fmt::format("ClusterClass {}/{} not found", space.empty() ? "default" : space, name));
}

constexpr Special kCapiSpecials[] = {
    {"Cluster", check_cluster, nullptr},
    {"MachineDeployment", check_machine_deployment, fill_machine_deployment},
    {"MachineSet", check_machine_set, fill_machine_set},
};

}  // namespace

std::span<const Special> capi_specials() { return kCapiSpecials; }

}  // namespace capwright::admission
