// CAP816: sync waves that Argo CD can't parse as an integer.
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "text/trim.h"

namespace capwright::lint::rules::wave_not_an_integer {
namespace {

// Also checks manifests inside other objects. The API server rejects waves that aren't strings.
void check(const Object& object, Report& report) {
  const Node wave = object.annotation(kWaveAnnotation);
  if (!wave.is(Kind::String) || whole_number(wave.text())) return;
  Finding& finding = report.at(wave, "the sync wave `{}` isn't an integer", wave.text());
  finding.note("Argo CD treats it as wave 0 without a message")
      .help("write an integer in quotes, such as \"-1\" or \"5\"");
  const std::string_view meant = trimmed(wave.text(), " \t");
  if (whole_number(meant)) finding.fix(wave, std::string(meant), Safety::Safe, "write the integer");
}

}  // namespace

CW_LINT_RULE(wave_not_an_integer){
    .code = "CAP816",
    .name = "wave-not-an-integer",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a sync wave that isn't an integer.

## Why is this bad?

Argo CD treats an invalid `argocd.argoproj.io/sync-wave` as 0, without a message. The object is applied with everything that
has no wave: a namespace too late, an add-on before its dependency.

## Example

```yaml
kind: Namespace
metadata:
  name: a
  annotations:
    argocd.argoproj.io/sync-wave: first   # error: [wave-not-an-integer] "the sync wave `first`"
```

## Use instead

```yaml
kind: Namespace
metadata:
  name: a
  annotations: {argocd.argoproj.io/sync-wave: "-3"}
---
kind: Namespace
metadata: {name: b, annotations: {argocd.argoproj.io/sync-wave: "+2"}}
---
kind: Namespace
metadata: {name: c}
```

## Fix

Safe: writes the integer.
)md",
    .fixes = Safety::Safe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::wave_not_an_integer
