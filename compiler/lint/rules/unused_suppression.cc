// CAP112: comments that take back what nobody said. Found by lint.cc, which knows which were used.
#include "lint/rule.h"

namespace capwright::lint {

CW_LINT_RULE(unused_suppression){
    .code = "CAP112",
    .name = "unused-suppression",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

A comment takes a finding back that isn't there.

## Why is this bad?

What it was for is mended, or it is on another line than the finding. Left where it is, it would hide the next mistake of that
kind. A comment behind something counts for its line, one alone for the next line. In layers and templates it is reported only
when the whole repository is linted, since another cluster may need it. A name that no rule has is told in any case, and so is one of
several that takes nothing back, where others do.

Taking it out is safe in values and manifests, and unsafe in a template, whose line is printed.

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

TODO
)md",
    .fixes = Safety::Unsafe,
};

}  // namespace capwright::lint
