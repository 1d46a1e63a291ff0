// Clusters of a ClusterClass: the templates of their machines, and the machines that a change concerns.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diff/change.h"
#include "plan/machine_sets.h"

namespace capwright::plan {

inline constexpr std::string_view kTopologyControlPlane =
    "control plane";                                       // MachineSet::topology; no pool can have this name
inline constexpr std::string_view kTemplate = "Template";  // suffix of kinds

// A template that a class refers to for some machines.
struct ClassTemplate {
  std::string_view role;  // "bootstrap", "infrastructure" or "control plane"
  std::string_view kind, name;
  const diff::Object* object = nullptr;  // null: it isn't on that side
};

// The templates of the machines of a topology; empty where the side has no class. In the order of `role`.
std::vector<ClassTemplate> class_templates(const MachineSet& set, const diff::Side& side);

// The template of a Cluster's control plane, by its class; null when the side doesn't have it.
const diff::Object* control_plane_template(const diff::Object& cluster, const diff::Side& side);

// Why Cluster API's webhook refuses a change of `spec.topology.version`; empty: it doesn't. A version can't be older,
// nor two minors newer unless the class plans the steps in between (`kubernetesVersions`, or an upgrade extension).
// Without the class on the side, two minors aren't refused. Source: core/webhooks/admission/cluster.go of Cluster
// API 1.14.2.
std::string refused_topology_version(const diff::Object& before, const diff::Object& after, const diff::Side& side);

// Whether a ClusterClass of the side names the object as a template.
bool is_of_class(const diff::Object& object, const diff::Side& side);

// Whether the topology controller creates different templates for the machines and so replaces them: it compares
// contents and ignores names. Ignores the templates of control planes, where single fields decide.
bool is_made_otherwise(const std::vector<ClassTemplate>& before, const std::vector<ClassTemplate>& after);
// Whether the templates of the control plane have equal contents; also true if there are none.
bool is_same_control_plane(const std::vector<ClassTemplate>& before, const std::vector<ClassTemplate>& after);
// Whether each template is an earlier one under another digest, or the same one: the diff has their changes.
bool are_generations(const std::vector<ClassTemplate>& before, const std::vector<ClassTemplate>& after);

// The object that the topology controller makes from a template: its `spec` is the template's `spec.template.spec`.
Value made_from(const diff::Object& of, Arena& arena);

// The machines of a Cluster that a change of its `spec.topology` concerns.
std::vector<const MachineSet*> sets_at(const diff::ObjectPair& cluster, const diff::Path& path,
                                       const Machines& machines);

}  // namespace capwright::plan
