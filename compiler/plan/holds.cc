// Pauses, and the preflight check KubeadmVersionSkew of MachineSets (cluster-api v1.14
// internal/controllers/machineset/machineset_preflight.go).
#include "plan/holds.h"

#include <fmt/format.h>

#include "lint/facts/machines.h"
#include "lint/facts/versions.h"
#include "rotation/naming.h"

namespace capwright::plan {
namespace {

constexpr std::string_view kPaused = "cluster.x-k8s.io/paused";

bool is_true(const Value& object, std::string_view path) {
  const Value* value = path.empty() ? nullptr : value_at(object, path);
  return value != nullptr && value->is(Kind::Bool) && value->as_bool();
}

std::optional<std::string_view> annotation(const diff::Object& object, std::string_view key) {
  const Value* annotations = value_at(object.value, "metadata.annotations");
  return annotations != nullptr ? rotation::string_at(*annotations, key) : std::nullopt;
}

// Kubeadm joins machines only to a control plane of the same minor version.
std::optional<Hold> skew_of(const MachineSet& set, const Machines& machines, const diff::Side& side) {
  if (set.kind != "MachineDeployment" || !set.topology.empty()) return std::nullopt;
  const Value* bootstrap = value_at(set.owner->value, "spec.template.spec.bootstrap.configRef");
  const auto kind = bootstrap != nullptr ? rotation::string_at(*bootstrap, "kind") : std::nullopt;
  if (kind != "KubeadmConfigTemplate") return std::nullopt;
  const std::string_view skipped = annotation(*set.owner, lint::kSkippedPreflightChecks).value_or("");
  if (lint::skips_preflight_check(skipped, "KubeadmVersionSkew")) return std::nullopt;
  const diff::Object* cluster = cluster_of(set, side);
  const auto version = lint::kubernetes_version(set.version);
  for (const MachineSet& plane : machines.sets()) {
    if (!plane.is_control_plane() || cluster == nullptr || cluster_of(plane, side) != cluster) continue;
    const auto wanted = lint::kubernetes_version(plane.version);
    if (!version || !wanted || version->minor == wanted->minor) continue;
    return Hold{
        fmt::format("Cluster API makes no machine of {}: kubeadm joins only machines of the control plane's minor "
                    "version, {}",
                    version->minor_text(), wanted->minor_text()),
        false, false, true};
  }
  return std::nullopt;
}

}  // namespace

bool Hold::holds(Verb verb, bool grows) const {
  if (verb == Verb::Roll || verb == Verb::Upgrade) return true;
  if (verb == Verb::Scale) return grows ? adds : removes;
  return verb == Verb::Create && adds;
}

std::optional<Hold> hold_of(const MachineSet& set, const Machines& machines, const diff::Side& side) {
  const diff::Object* cluster = cluster_of(set, side);
  if (cluster != nullptr && is_true(cluster->value, "spec.paused"))
    return Hold{"the Cluster is paused: this happens when `spec.paused` goes", true, true, true};
  if (annotation(*set.owner, kPaused))
    return Hold{fmt::format("it is paused: this happens when the annotation `{}` goes", kPaused), true, true, true};
  if (set.topology.empty() && is_true(set.owner->value, set.known->paused))
    return Hold{fmt::format("it is paused: this happens when `{}` goes", set.known->paused), true, false, false};
  return skew_of(set, machines, side);
}

}  // namespace capwright::plan
