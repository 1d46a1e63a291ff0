// Clusters of a ClusterClass: which templates their machines are made from, and whose machines a change is about.
#pragma once
#include <string_view>
#include <vector>

#include "diff/change.h"
#include "plan/machines.h"

namespace capwright::plan {

inline constexpr std::string_view kTopologyControlPlane =
    "control plane";                                       // MachineSet::topology; no pool is called so
inline constexpr std::string_view kTemplate = "Template";  // end of kinds

// A template that a class names for some machines.
struct ClassTemplate {
  std::string_view role;  // "bootstrap", "infrastructure" or "control plane"
  std::string_view kind, name;
  const diff::Object* object = nullptr;  // null: it isn't on that side
};

// Those of the machines of a topology; none where the side has no class. In the order of `role`.
std::vector<ClassTemplate> class_templates(const MachineSet& set, const diff::Side& side);

// What the control plane of a Cluster is made from, by its class; null when the side doesn't have it.
const diff::Object* control_plane_template(const diff::Object& cluster, const diff::Side& side);

// Whether a ClusterClass of the side names the object as a template.
bool is_of_class(const diff::Object& object, const diff::Side& side);

// Whether the topology controller makes other templates for the machines, so that they are replaced: it compares by
// content, whatever the names are. Of control planes it isn't asked, since single fields decide.
bool is_made_otherwise(const std::vector<ClassTemplate>& before, const std::vector<ClassTemplate>& after);

// The machines of a Cluster that a change of its `spec.topology` is about.
std::vector<const MachineSet*> sets_at(const diff::ObjectPair& cluster, const diff::Path& path,
                                       const Machines& machines);

}  // namespace capwright::plan
