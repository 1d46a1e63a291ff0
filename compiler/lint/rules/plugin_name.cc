// CAP827: names of plugins that are almost those of capwright.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"

namespace capwright::lint::rules::plugin_name {
namespace {

// As `capwright argocd plugin` prints them.
constexpr std::array<std::string_view, 3> kNames{"capwright", "capwright-avp", "capwright-sops"};

// Argo CD adds the `version` of a plugin.yaml to its name: `capwright-v1.0`.
bool has_version(std::string_view name) {
  return std::ranges::any_of(kNames, [&](std::string_view known) {
    if (!name.starts_with(known) || !name.substr(known.size()).starts_with('-')) return false;
    std::string_view version = name.substr(known.size() + 1);
    if (version.starts_with('v')) version.remove_prefix(1);
    return !version.empty() && is_digit(version.front());
  });
}

void check(const Object& application, Report& report) {
  constexpr std::size_t kMostEdits = 2;
  for (const ChartSource& source : sources_of(application)) {
    const Node name = source.node["plugin.name"];
    const std::string_view text = name.text();
    const bool is_known = std::ranges::find(kNames, text) != kNames.end();
    if (text.empty() || is_known || is_generated(text) || has_version(text)) continue;
    const std::string_view best = nearest(text, kNames);
    if (best.empty() || edit_distance(text, best) > kMostEdits) continue;
    report.at(name, "no plugin that `capwright argocd plugin` prints is named `{}`", text)
        .note("without a plugin of this name, the Application has an error, and nothing is synced")
        .help("did you mean `{}`?", best)
        .fix(name, std::string(best), Safety::Unsafe, "use the known name");
  }
}

}  // namespace

CW_LINT_RULE(plugin_name){
    .code = "CAP827",
    .name = "plugin-name",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application ApplicationSet",
    .docs = R"md(
## What it does

Reports a plugin in an Application or ApplicationSet whose name differs by one or two letters from `capwright`, `capwright-avp` or
`capwright-sops`.

## Why is this bad?

Argo CD has no plugin of this name: the Application has an error, and nothing is synced. Other rules don't recognize the plugin, so they
don't check its parameters.

A name with a version, such as `capwright-v1.0`, is that of a `plugin.yaml` with `version`, and isn't reported.

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-a}
spec:
  source:
    plugin:
      name: capwrigth   # error: [plugin-name] "is named `capwrigth`"
```

## Use instead

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-a}
spec:
  source:
    plugin:
      name: capwright
      parameters: [{name: cluster, string: prod-a}, {name: part, string: cluster}]
```

## Fix

Unsafe: replaces the name by the similar one.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::plugin_name
