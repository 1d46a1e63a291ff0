// CAP814: `$name/…` without a source of that name.
#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"

namespace capwright::lint::rules::unknown_values_ref {
namespace {

void check_file(const Node& file, const std::vector<std::string_view>& refs, Report& report) {
  const std::string_view text = file.text();
  const std::size_t dollar = text.find('$');
  if (dollar == std::string_view::npos || is_generated(text.substr(0, text.find('/')))) return;
  const std::string_view name = text.substr(dollar + 1, text.find('/', dollar) - dollar - 1);
  if (name.starts_with('{') || name.starts_with("ARGOCD_")) return;  // a variable of Argo CD's build environment
  if (dollar != 0) {
    report.at(file, "`${}` is only a reference at the beginning of a path", name)
        .note("elsewhere Argo CD treats it as part of a file name")
        .help("begin the path with it");
    return;
  }
  if (std::find(refs.begin(), refs.end(), name) != refs.end()) return;
  Finding& finding = report.at(file, "no source has the `ref` `{}`", name);
  const std::string_view best = nearest(name, refs);
  if (!best.empty()) {
    finding.help("did you mean `${}`?", best);
    finding.fix(file, fmt::format("${}{}", best, text.substr(name.size() + 1)), Safety::Unsafe,
                "use the existing source");
  } else if (refs.empty()) {
    finding.help("add a source of the repository with `ref: {}` to `sources`", name);
  } else {
    finding.help("the existing values of `ref` are {}", list_names(refs));
  }
}

void check(const Object& application, Report& report) {
  const std::vector<ChartSource>& sources = sources_of(application);
  std::vector<std::string_view> refs;
  for (const ChartSource& source : sources) {
    if (is_generated(source.ref)) return;
    if (!source.ref.empty()) refs.push_back(source.ref);
  }
  for (const ChartSource& source : sources) {
    for (const Node file : source.value_files()) check_file(file, refs, report);
  }
}

}  // namespace

CW_LINT_RULE(unknown_values_ref){
    .code = "CAP814",
    .name = "unknown-values-ref",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application ApplicationSet",
    .docs = R"md(
## What it does

Reports a value file that begins with `$name` although no source of the Application has that `ref`.

## Why is this bad?

Argo CD then looks for a file with that literal name in the chart and renders nothing. No schema finds the mistake. At the
beginning of a path, `$name` means the repository of the source with `ref: name`.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: app}
spec:
  sources:
    - chart: app
      helm:
        valueFiles:
          - $valuez/app/values.yaml   # error: [unknown-values-ref] "no source has the `ref` `valuez`"
          - app/$values/values.yaml   # error: [unknown-values-ref] "`$values` is only a reference at the beginning of a path"
    - {repoURL: "https://git.example.com/fleet.git", ref: values}
---
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: apps}
spec:
  template:
    spec:
      sources:
        - chart: app
          helm:
            valueFiles:
              - $valuez/{{ .name }}/values.yaml   # error: [unknown-values-ref] "no source has the `ref` `valuez`"
              - $values/{{ .name }}/values.yaml
              - ${{ .ref }}/values.yaml
        - {repoURL: "https://git.example.com/fleet.git", ref: values}
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: app}
spec:
  sources:
    - chart: app
      helm: {valueFiles: [values.yaml, $values/app/values.yaml, "values-${ARGOCD_APP_NAME}.yaml"]}
    - {repoURL: "https://git.example.com/fleet.git", ref: values}
```

## Fix

Unsafe: uses the `ref` of an existing source.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::unknown_values_ref
