// Rules of changes: problems in the transition between two states of a cluster, even if both states are valid. `plan`
// runs them.
#pragma once
#include <vector>

#include "crd/validate.h"
#include "lint/engine/lint_finding.h"
#include "lint/engine/rule.h"
#include "lint/engine/selection.h"

namespace capwright::lint {

struct ClusterChange {
  const Cluster* before = nullptr;  // null: a new cluster
  const Cluster* after = nullptr;   // null: a deleted cluster
  const crd::Admission* admission = nullptr;

  // The object before the change, by kind, namespace and name; null for a new object.
  const Object* old_of(const Object& object) const;
};

// Attach it to a rule of rules.def without a check. It goes at the end of the rule's file.
struct ChangeRule {
  const Rule& rule;
  // Reports places in `after`; for deleted objects, in `before`.
  void (*check)(const ClusterChange&, Report&);
};
#define CW_CHANGE_RULE(NAME, CHECK)     \
  extern const ChangeRule NAME##_check; \
  const ChangeRule NAME##_check { NAME, CHECK }

// The findings of all selected rules, with the configured severities.
std::vector<Finding> check_change(const ClusterChange& change, const Selection& selection);
// Whether the selector matches one of these rules. Only `plan` runs them, so no other command knows whether a comment
// suppresses one.
bool names_change_rule(std::string_view selector);

// A control plane on both sides whose Kubernetes minor version is readable on both.
struct ControlPlaneStep {
  const Object* before = nullptr;
  const Object* after = nullptr;
  int minor_before = 0, minor_after = 0;
};
std::vector<ControlPlaneStep> control_plane_steps(const ClusterChange& change);

// A reference of a control plane or pool that exists on both sides and now names another object of the same kind.
struct MovedReference {
  const Object* owner = nullptr;  // after
  Node reference;                 // after; {kind, name}
  std::string_view kind, old_name, name;
};
std::vector<MovedReference> moved_references(const ClusterChange& change);

// The smallest parts of `now` that differ from `was`, in order; for a removed part, its nearest remaining parent. `was`
// must have a part at the path of `now`.
std::vector<Node> changed_parts(const Node& was, const Node& now);

// By kind, namespace and name, in any group; null when the tree has none.
const Object* find_object(const Cluster& tree, std::string_view kind, std::string_view space, std::string_view name);

}  // namespace capwright::lint
