// Code that the rules of changes share, and their table.
#include "lint/engine/change_rule.h"

#include <algorithm>

#include "lint/engine/rules.h"
#include "lint/facts/versions.h"
#include "lint/model/references.h"

namespace capwright::lint {

// Of each file that ends with CW_CHANGE_RULE, in the order in which they run.
#define CW_CHANGE_RULES(RULE) \
  RULE(control_plane_step)    \
  RULE(upgrade_at_once)       \
  RULE(cluster_gone)          \
  RULE(immutable_changed)     \
  RULE(needless_roll)         \
  RULE(template_deleted)      \
  RULE(quorum_crossing_scale) \
  RULE(network_changed)       \
  RULE(image_stays)           \
  RULE(api_version_back)      \
  RULE(identity_changed)      \
  RULE(pool_left_running)     \
  RULE(needed_addon_removed)  \
  RULE(encryption_key_order)  \
  RULE(credential_form)       \
  RULE(credential_store)

#define CW_DECLARED(NAME)               \
  namespace rules::NAME {               \
  extern const ChangeRule NAME##_check; \
  }
CW_CHANGE_RULES(CW_DECLARED)
#undef CW_DECLARED

namespace {

#define CW_LISTED(NAME) &rules::NAME::NAME##_check,
constexpr const ChangeRule* kChangeRules[] = {CW_CHANGE_RULES(CW_LISTED)};
#undef CW_LISTED
#undef CW_CHANGE_RULES

bool is_control_plane(const Object& object) {
  const std::string_view group = object.group();
  return object.kind().ends_with("ControlPlane") &&
         (group.starts_with("controlplane.") || group.starts_with("infrastructure."));
}

void add_changed(const Node& was, const Node& now, std::vector<Node>& parts) {
  if (was.exists() && now.exists() && json_equal(was.value(), now.value())) return;
  const bool are_maps = was.is(Kind::Map) && now.is(Kind::Map);
  const bool are_lists = was.is(Kind::List) && now.is(Kind::List) && was.size() == now.size();
  if (!are_maps && !are_lists) return parts.push_back(now);
  for (std::size_t i = 0; are_lists && i < now.size(); ++i) add_changed(was.item(i), now.item(i), parts);
  if (!are_maps) return;
  for (const auto& [key, value] : now.members()) add_changed(was.member(key), value, parts);
  for (const auto& [key, value] : was.members()) {
    if (!now.member(key)) parts.push_back(now.member(key));
  }
}

bool makes_machines(const Object& object) {
  return is_control_plane(object) || object.kind() == "MachineDeployment" || object.kind() == "MachinePool";
}

}  // namespace

const Object* find_object(const Cluster& tree, std::string_view kind, std::string_view space, std::string_view name) {
  const Objects named = tree.named(kind, space, name);
  return named.empty() ? nullptr : named.front();
}

const Object* ClusterChange::old_of(const Object& object) const {
  return before == nullptr ? nullptr : find_object(*before, object.kind(), object.space(), object.name());
}

std::vector<Node> changed_parts(const Node& was, const Node& now) {
  std::vector<Node> parts;
  add_changed(was, now, parts);
  return parts;
}

std::vector<ControlPlaneStep> control_plane_steps(const ClusterChange& change) {
  std::vector<ControlPlaneStep> steps;
  if (change.after == nullptr) return steps;
  for (const Object* object : change.after->objects()) {
    const Object* old = is_control_plane(*object) ? change.old_of(*object) : nullptr;
    if (old == nullptr) continue;
    const auto was = kubernetes_version((*old)["spec.version"].text());
    const auto is = kubernetes_version((*object)["spec.version"].text());
    if (was && is) steps.push_back({old, object, was->minor, is->minor});
  }
  return steps;
}

std::vector<MovedReference> moved_references(const ClusterChange& change) {
  std::vector<MovedReference> moved;
  if (change.after == nullptr) return moved;
  for (const Object* owner : change.after->objects()) {
    const Object* old = makes_machines(*owner) ? change.old_of(*owner) : nullptr;
    if (old == nullptr) continue;
    const std::vector<Reference>& known = references_of(*old);
    for (const Reference& reference : references_of(*owner)) {
      const auto was = std::find_if(known.begin(), known.end(), [&](const Reference& each) {
        return each.kind == reference.kind && each.place.path() == reference.place.path();
      });
      if (was == known.end() || was->name == reference.name) continue;
      moved.push_back({owner, reference.place, reference.kind, was->name, reference.name});
    }
  }
  return moved;
}

bool names_change_rule(std::string_view selector) {
  return std::any_of(std::begin(kChangeRules), std::end(kChangeRules),
                     [&](const ChangeRule* each) { return names(selector, info_of(each->rule)); });
}

std::vector<Finding> check_change(const ClusterChange& change, const Selection& selection) {
  std::vector<Finding> findings;
  for (const ChangeRule* each : kChangeRules) {
    const DiagInfo& info = info_of(each->rule);
    if (!selection.selects(info)) continue;
    const std::size_t first = findings.size();
    Report report(info, findings);
    each->check(change, report);
    for (std::size_t i = first; i < findings.size(); ++i) {
      findings[i].is_of_change = true;
      findings[i].pattern = {};  // one change of a template does different things to the objects of a cluster
    }
    const std::optional<Severity> chosen = selection.severity(info);
    for (std::size_t i = first; chosen && i < findings.size(); ++i) findings[i].severity = *chosen;
  }
  return findings;
}

}  // namespace capwright::lint
