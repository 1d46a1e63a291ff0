// CAP233: unknown kinds that are similar to a known one.
#include "lint/engine/rule.h"
#include "lint/facts/unknown_kinds.h"

namespace capwright::lint::rules::unknown_kind {
namespace {

void check(const Object& object, Report& report) {
  if (!is_unknown_kind(object)) return;
  const MeantKind meant = meant_kind(object);
  if (!meant.kind.empty()) {
    report.at(object["kind"], "`{}` has no kind `{}`", object.api_version(), object.kind())
        .help("did you mean `{}`?", meant.kind)
        .fix(object["kind"], std::string(meant.kind), Safety::Unsafe, "use the existing kind");
  } else if (!meant.api_version.empty()) {
    report.at(object["apiVersion"], "`{}` has no kind `{}`", object.api_version(), object.kind())
        .help("did you mean `{}`?", meant.api_version)
        .fix(object["apiVersion"], meant.api_version, Safety::Unsafe, "use the group that has the kind");
  }
}

}  // namespace

CW_LINT_RULE(unknown_kind){
    .code = "CAP233",
    .name = "unknown-kind",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an unknown kind that is similar to a known one, or that exists in another group.

## Why is this bad?

The API server rejects objects of unknown kinds, and lint can't check them. It is a warning, since the management cluster may
have CRDs that capwright doesn't know; `capwright schema add` adds them. An unknown kind without a similar one has no
finding: lint only counts such objects in its summary.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeploymnt   # warning: [unknown-kind] "`cluster.x-k8s.io/v1beta2` has no kind `MachineDeploymnt`"
```

## Use instead

```yaml
apiVersion: apps/v1
kind: Deployment
---
apiVersion: v1
kind: PersistentVolume
---
apiVersion: example.com/v1
kind: Cluster
```

## Fix

Unsafe: uses the similar kind, or the group that has the kind.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::unknown_kind
