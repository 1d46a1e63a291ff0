// Rules of changes: what is wrong between a cluster as it was and as it is now, though each of them may be well. `plan`
// runs them.
#pragma once
#include <vector>

#include "crd/validate.h"
#include "lint/finding.h"
#include "lint/rule.h"
#include "lint/selection.h"

namespace capwright::lint {

struct ClusterChange {
  const Cluster* before = nullptr;  // null: it is new
  const Cluster* after = nullptr;   // null: it is gone
  const crd::Admission* admission = nullptr;

  // The object as it was, by kind, namespace and name; null when it is new.
  const Object* old_of(const Object& object) const;
};

// Belongs to a rule of rules.def that has no check of its own. Its file ends with it, behind the rule.
struct ChangeRule {
  const Rule& rule;
  // Places it reports are in `after`; of what is gone, in `before`.
  void (*check)(const ClusterChange&, Report&);
};
#define CW_CHANGE_RULE(NAME, CHECK)     \
  extern const ChangeRule NAME##_check; \
  const ChangeRule NAME##_check { NAME, CHECK }

// Findings of all that are selected, with the severities that are set.
std::vector<Finding> check_change(const ClusterChange& change, const Selection& selection);

// A control plane of both sides whose Kubernetes minor version is readable on both.
struct ControlPlaneStep {
  const Object* before = nullptr;
  const Object* after = nullptr;
  int minor_before = 0, minor_after = 0;
};
std::vector<ControlPlaneStep> control_plane_steps(const ClusterChange& change);

// A reference of a control plane or pool, which is on both sides, that leads to another name of the same kind now.
struct MovedReference {
  const Object* owner = nullptr;  // after
  Node reference;                 // after; {kind, name}
  std::string_view kind, old_name, name;
};
std::vector<MovedReference> moved_references(const ClusterChange& change);

// The parts of `now`, which has a part of that path in `was`, that are why both differ: the smallest ones, in order;
// the nearest place above where something is gone.
std::vector<Node> changed_parts(const Node& was, const Node& now);

// By kind, namespace and name, in whatever group; null when the tree has none.
const Object* find_object(const Cluster& tree, std::string_view kind, std::string_view space, std::string_view name);

}  // namespace capwright::lint
