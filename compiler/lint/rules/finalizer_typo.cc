// CAP817: unknown finalizers of Argo CD.
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "lint/facts/catalogue.h"

namespace capwright::lint::rules::finalizer_typo {
namespace {

void check_finalizers(const Node& finalizers, Report& report) {
  for (const Node node : finalizers.items()) {
    const std::string_view finalizer = node.text();
    const std::optional<std::string_view> best = meant_finalizer(finalizer);
    if (!best) continue;
    Finding& finding = report.at(node, "unknown finalizer `{}`", finalizer);
    finding.note(
        "no controller removes it, so the Application can't be deleted, and its objects aren't deleted with it");
    if (best->empty()) {
      finding.help("use `{}`", words_of(fact(argocd_facts(), "finalizers")).front());
      continue;
    }
    finding.help("did you mean `{}`?", *best);
    finding.fix(node, std::string(*best), Safety::Unsafe, "use the finalizer that Argo CD knows");
  }
}

void check(const Object& object, Report& report) {
  if (object.group() != "argoproj.io") return;
  check_finalizers(object["metadata.finalizers"], report);
  if (object.kind() == "ApplicationSet") check_finalizers(application_in(object)["metadata.finalizers"], report);
}

}  // namespace

CW_LINT_RULE(finalizer_typo){
    .code = "CAP817",
    .name = "finalizer-typo",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application ApplicationSet AppProject",
    .docs = R"md(
## What it does

Reports a misspelled finalizer of an Application.

## Why is this bad?

Argo CD compares finalizers exactly. An unknown one has no effect on what is deleted, and it blocks the deletion of the
Application forever, since no controller removes it. Finalizers of other controllers are exempt.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: app
  finalizers:
    - resource-finalizer.argocd.argoproj.io   # error: [finalizer-typo] "unknown finalizer `resource-finalizer.argocd.argoproj.io`"
    - resources-finalizer.argocd.argoproj.io/forground   # error: [finalizer-typo]
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps}
spec:
  template:
    metadata:
      name: '{{ .name }}'
      finalizers: [resource-finalizer.argocd.argoproj.io]   # error: [finalizer-typo]
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: app
  finalizers:
    - resources-finalizer.argocd.argoproj.io/background
    - post-delete-finalizer.argocd.argoproj.io
    - backup.example.com/keep
```

## Fix

Unsafe: uses the similar finalizer that Argo CD knows.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::finalizer_typo
