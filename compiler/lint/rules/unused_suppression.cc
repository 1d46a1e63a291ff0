// CAP112: suppressions without a matching finding. Reported by lint.cc, which knows the used ones.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::unused_suppression {

CW_LINT_RULE(unused_suppression){
    .code = "CAP112",
    .name = "unused-suppression",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a suppression that suppresses nothing.

## Why is this bad?

The finding is fixed, or the comment isn't on its line. A stale suppression would hide the next finding of that rule. A
comment after code applies to its line; a comment on a separate line applies to the next line.

In layers and templates it is reported only when the whole repository is linted, since another cluster may need it. An
unknown rule name is always reported, and so is an unused name if other names of the same comment are used. Rules of
changes, such as CAP504, aren't: only `plan` runs them.

## Example

```yaml
kind: RKE2ControlPlane
spec:
  machineTemplate: {spec: {deletion: {nodeDrainTimeoutSeconds: 600}}}
  # warning: [unused-suppression] "nothing to ignore"
  replicas: 3   # capwright: ignore=CAP401 -- the lab has two hosts
```

## Use instead

```yaml
kind: RKE2ControlPlane
spec:
  replicas: 2   # capwright: ignore=CAP401 -- the lab has two hosts
  machineTemplate: {spec: {deletion: {nodeDrainTimeoutSeconds: 600}}}
```

## Fix

Removes the comment: safe in values and manifests, unsafe in a template, whose comments may be rendered.
)md",
    .fixes = Safety::Unsafe,
};

}  // namespace capwright::lint::rules::unused_suppression
