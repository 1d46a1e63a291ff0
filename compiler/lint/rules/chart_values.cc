// CAP804: values that a chart doesn't have.
#include <algorithm>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/cluster_addons.h"

namespace capwright::lint::rules::chart_values {
namespace {

// Only reports keys similar to a known one: charts accept more keys than are listed, such as those of subcharts.
void check_keys(const Node& values, std::string_view chart, Report& report) {
  const Value* known_text = fact(chart_value_facts(), "charts").find(chart);
  if (known_text == nullptr) return;
  const std::vector<std::string_view>& known = words_of(*known_text);
  for (const auto& [key, value] : values.members()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string_view best = nearest(key, known);
    if (best.empty() || values.member(best)) continue;
    // A list or map is reported at its key, and so is a scalar on the same line.
    report.at(value, "the chart `{}` has no value `{}`", chart, key)
        .note("Helm ignores it and uses the chart's default")
        .help("did you mean `{}`?", best)
        .fix_key(value, std::string(best), Safety::Unsafe, "use the value that the chart knows");
  }
}

void check_shape(const Node& values, const Node& named_by, Report& report) {
  report.at(values, "the values of a chart must be a map")
      .also(named_by, "they are named here")
      .note("Helm rejects the whole chart")
      .help("write `key: value` lines");
}

void check_file(const Node& name, const ChartSource& source, const Cluster& cluster, Report& report) {
  const std::string_view path = name.text();
  const std::size_t slash = path.find('/');
  if (!path.starts_with('$') || slash == std::string_view::npos) return;
  const File* file = file_at(cluster, path.substr(slash + 1));
  const Node values = file == nullptr ? Node() : file->root();
  if (values.is(Kind::Map)) check_keys(values, source.chart, report);
  else if (values.exists() && !values.is(Kind::Null)) check_shape(values, name, report);
}

// Values of a HelmRelease are a map; those of a HelmChartProxy a Go template, which is YAML unless it has actions.
void check_release(const Object& release, Report& report) {
  const std::string_view chart = chart_of_release(release);
  if (chart.empty()) return;
  check_keys(release["spec.values"], chart, report);
  const Node text = release["spec.valuesTemplate"];
  if (!is_generated(text.text())) check_keys(text.yaml(), chart, report);
}

void check(const Object& application, Report& report) {
  if (!is_application(application)) return check_release(application, report);
  for (const ChartSource& source : sources_of(application)) {
    if (source.chart.empty()) continue;
    for (const Node name : source.value_files()) check_file(name, source, application.cluster(), report);
    const Node text = source.node["helm.values"], values = text.yaml();
    if (values.is(Kind::Map)) check_keys(values, source.chart, report);
    else if (values.exists() && !values.is(Kind::Null)) check_shape(text, source.node["chart"], report);
    check_keys(source.node["helm.valuesObject"], source.chart, report);
  }
}

}  // namespace

CW_LINT_RULE(chart_values){
    .code = "CAP804",
    .name = "chart-values",
    .severity = Severity::Warning,
    .since = "0.1",
    .kinds = "Application HelmRelease HelmChartProxy",
    .docs = R"md(
## What it does

Reports a chart value with a name that the chart doesn't know.

## Why is this bad?

Helm ignores unknown values, so the default applies: with `secrets.create: false` instead of `secret`, the chart creates a
Secret of its own. The rule reports top-level keys that are similar to one of the chart's.
`schemas/catalogue/chart-values.yaml` lists the keys of common charts. A HelmRelease of Flux and a HelmChartProxy of Cluster API are
checked like an Application.

## Example

```yaml file=clusters/a/addons/openstack-ccm/application.yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-ccm}
spec:
  sources:
    - chart: openstack-cloud-controller-manager
      helm: {valueFiles: [$values/clusters/a/addons/openstack-ccm/values.yaml]}
    - {ref: values}
```
```yaml file=clusters/a/addons/openstack-ccm/values.yaml
secrets:   # warning: [chart-values] "the chart `openstack-cloud-controller-manager` has no"
  create: false
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-metallb}
spec:
  source:
    chart: metallb
    helm:
      valuesObject:
        loadBalancerClass: example.com/metallb
        something-of-our-own: {}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: a-app}
spec:
  source: {chart: app, helm: {values: "secrets: {create: false}"}}
```

## Fix

Unsafe: uses the similar key.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::chart_values
