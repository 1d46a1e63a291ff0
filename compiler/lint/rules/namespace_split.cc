// CAP214: related objects in two namespaces.
#include <set>

#include "lint/engine/rule.h"
#include "lint/model/references.h"

namespace capwright::lint::rules::namespace_split {
namespace {

void check(const Cluster& cluster, Report& report) {
  std::set<const Object*> told;
  for (const Object* object : cluster.objects()) {
    for (const Reference& reference : references_of(*object)) {
      // An explicit namespace, or an object without one, counts as intended.
      if (reference.space != object->space() || object->space().empty()) continue;
      const Object* named = resolve(reference, cluster);
      if (named == nullptr || named->space().empty() || named->space() == object->space() || !told.insert(named).second)
        continue;
      const Node space = (*named)["metadata.namespace"];
      report
          .at(space, "{} is in the namespace `{}`, but the reference to it is in `{}`", named->kind(), named->space(),
              object->space())
          .also(reference.name_node, "this names it")
          .help("references can't cross namespaces: use one namespace for both");
    }
  }
}

}  // namespace

CW_LINT_RULE(namespace_split){
    .code = "CAP214",
    .name = "namespace-split",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a reference between objects of one cluster that are in two namespaces.

## Why is this bad?

References in Cluster API have no namespace: they mean the namespace of the object itself. The provider looks for the Secret,
template or cluster there, doesn't find it, and waits.

## Example

```yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: prod, namespace: default}
spec:
  identityRef: {name: prod-cloud-config, cloudName: openstack}
---
apiVersion: v1
kind: Secret
metadata:
  name: prod-cloud-config
  namespace: prod   # error: [namespace-split] "Secret is in the namespace `prod`, but the reference to it is in `default`"
```

## Use instead

```yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: prod, namespace: prod}
spec:
  identityRef: {name: prod-cloud-config, cloudName: openstack}
---
apiVersion: v1
kind: Secret
metadata: {name: prod-cloud-config, namespace: prod}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::namespace_split
