// CAP113: suppressions without a reason, or past their expiry. Reported by lint.cc.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::unreasoned_suppression {

CW_LINT_RULE(unreasoned_suppression){
    .code = "CAP113",
    .name = "unreasoned-suppression",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a suppression without a reason, an expired one, and one in a form that isn't recognized.

## Why is this bad?

Later readers must know why the finding doesn't apply: write ` -- ` and the reason. With `until=2027-01-31` the suppression
is valid up to that day. "Today" is `--as-of`, by default the date of the built-in catalogue, so that no run depends on the
clock.

A suppression with an invalid date suppresses nothing. Forms that look like one, such as `capwright: ignore CAP401` or
`capwright: disable=CAP401`, are reported, too.

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

}  // namespace capwright::lint::rules::unreasoned_suppression
