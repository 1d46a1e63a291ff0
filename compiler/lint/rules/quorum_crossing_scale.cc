// CAP905: control planes that scale below quorum, or from one member to several.
#include "lint/engine/change_rule.h"

namespace capwright::lint::rules::quorum_crossing_scale {
namespace {

void check(const ClusterChange& change, Report& report) {
  if (change.after == nullptr) return;
  for (const Object* object : change.after->objects()) {
    if (!object->kind().ends_with("ControlPlane")) continue;
    const Object* old = change.old_of(*object);
    const Node replicas = (*object)["spec.replicas"];
    const auto was = old != nullptr ? (*old)["spec.replicas"].integer() : std::nullopt;
    const auto is = replicas.integer();
    if (!was || !is || *was == *is) continue;
    const std::int64_t quorum = *was / 2 + 1;
    if (*is < quorum) {
      Finding& finding =
          report.at(replicas, "scaling from {} to {} control planes removes etcd's majority of {}", *was, *is, quorum);
      if (object->kind() == "KubeadmControlPlane")
        finding.as(Severity::Warning).note("the provider removes one etcd member after the other, if all are healthy");
      else finding.note("etcd stops if a majority of its members disappears before it is removed from etcd");
      const std::int64_t step = quorum % 2 == 0 ? quorum + 1 : quorum;  // the number of members is odd
      if (step < *was) finding.help("scale to {} first, and continue when the others have left etcd", step);
      else finding.help("back up etcd first, and check that all members are healthy; there is no step in between");
    } else if (*was == 1 && *is > 1) {
      report.at(replicas, "one control plane becomes {}", *is)
          .as(Severity::Note)
          .note("etcd becomes a cluster: until the second member has caught up, losing one stops it");
    }
  }
}

}  // namespace

CW_LINT_RULE(quorum_crossing_scale){
    .code = "CAP905",
    .name = "quorum-crossing-scale",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a change that removes a majority of a control plane's machines.

## Why is this bad?

etcd needs a majority of its members. Scaling from three to one removes two of three: if a member isn't removed before its
machine, etcd stops and the cluster with it. Scaling from one to three is a note. `capwright plan` checks the change against
its base.

## Example

```yaml file=before/cluster.yaml
kind: KThreesControlPlane
metadata: {name: prod}
spec: {replicas: 3}
```
```yaml file=after/cluster.yaml
kind: KThreesControlPlane
metadata: {name: prod}
spec:
  replicas: 1   # error: [quorum-crossing-scale] "scaling from 3 to 1 control planes removes etcd's"
```

## Use instead

```yaml file=before/cluster.yaml
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {replicas: 5}
```
```yaml file=after/cluster.yaml
kind: KubeadmControlPlane
metadata: {name: prod}
spec: {replicas: 3}
```
)md",
};

CW_CHANGE_RULE(quorum_crossing_scale, check);

}  // namespace capwright::lint::rules::quorum_crossing_scale
