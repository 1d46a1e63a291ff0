// CAP113: comments that take a finding back and don't say why, or whose time is over. Found by lint.cc.
#include "lint/rule.h"

namespace capwright::lint {

CW_LINT_RULE(unreasoned_suppression){
    .code = "CAP113",
    .name = "unreasoned-suppression",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

A comment takes a finding back without a reason, its time is over, or it is not written as one that does.

## Why is this bad?

Whoever reads it later has to know why the finding doesn't count: ` -- ` and a few words say so. With `until=2027-01-31` it holds
up to that day, and the finding comes back afterwards. The day is that of `--as-of`, and that of the built-in catalogue when
nobody says otherwise: no run depends on the clock. What is no date is told, and the comment then takes nothing back; so is
one that is meant for it and has another form, such as `capwright: ignore CAP401` or `capwright: disable=CAP401`.

## Example

```yaml
kind: RKE2ControlPlane
spec:
  machineTemplate: {spec: {deletion: {nodeDrainTimeoutSeconds: 600}}}
  # warning: [unreasoned-suppression] "no reason"
  replicas: 2   # capwright: ignore=CAP401
```

## Use instead

```yaml
kind: RKE2ControlPlane
spec:
  machineTemplate: {spec: {deletion: {nodeDrainTimeoutSeconds: 600}}}
  replicas: 2   # capwright: ignore=CAP401 -- the lab has two hosts [until=2999-12-31]
```
)md",
};

}  // namespace capwright::lint
