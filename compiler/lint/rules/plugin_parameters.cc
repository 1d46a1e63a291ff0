// CAP820: parameters that capwright's plugin for Argo CD doesn't read.
#include <algorithm>
#include <fmt/format.h>

#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "lint/facts/cluster_applications.h"
#include "lint/facts/plugin_sources.h"
#include "lint/model/repository_clusters.h"

namespace capwright::lint::rules::plugin_parameters {
namespace {

constexpr std::array<std::string_view, 3> kFields{"string", "array", "map"};

void check_name(const Node& parameter, Report& report) {
  std::vector<std::string_view> known;
  for (const PluginParameter& each : kPluginParameters) known.push_back(each.name);
  const Node name = parameter["name"];
  if (name.text().empty()) {
    report.at(parameter, "this parameter has no `name`").help("the plugin reads {}", list_names(known));
    return;
  }
  Finding& finding = report.at(name, "the plugin has no parameter `{}`", name.text());
  finding.note("the plugin then reports an error instead of manifests");
  const std::string_view best = nearest(name.text(), known);
  if (best.empty()) finding.help("the plugin reads {}", list_names(known));
  else finding.help("did you mean `{}`?", best).fix(name, std::string(best), Safety::Unsafe, "use the known name");
}

void check_field(const Node& parameter, const PluginParameter& known, Report& report) {
  for (const std::string_view field : kFields) {
    const Node value = parameter.member(field);
    const bool is_blank = !value || (value.is(Kind::String) && value.text().empty()) ||
                          ((value.is(Kind::List) || value.is(Kind::Map)) && value.size() == 0);
    if (field == known.field || is_blank) continue;
    report.at(value, "the parameter `{}` has `{}`; expected `{}`", known.name, field, known.field)
        .note("the plugin then reports an error instead of manifests")
        .help("write the value below `{}`", known.field);
  }
  const Node part = parameter["string"];
  constexpr std::array<std::string_view, 3> kParts{"all", "cluster", "addons"};
  const bool is_part = known.name == "part" && !part.text().empty() && !is_generated(part.text());
  if (is_part && std::find(kParts.begin(), kParts.end(), part.text()) == kParts.end())
    report.at(part, "the parameter `part` is `{}`", part.text()).help("use `all`, `cluster` or `addons`");
}

// What the plugin adds to the values of a cluster, with the places of the parameters.
struct Overrides {
  ExtraValues extra;
  std::vector<Node> files, sets;
};

// The keys of `set` are paths such as `worker_pools[0].count`.
void read_sets(const ChartSource& source, const RepositoryClusters& clusters, Overrides& overrides, Report& report) {
  for (const Node& parameter : lint::plugin_parameters(source, "set")) {
    for (const auto& [path, value] : parameter["map"].members()) {
      const std::vector<std::string>& keys = clusters.value_keys();
      const std::string_view key = path.substr(0, path.find_first_of(".["));
      if (is_generated(path) || is_generated(value.text()) || !value.is(Kind::String)) continue;
      if (keys.empty() || std::binary_search(keys.begin(), keys.end(), key)) {
        overrides.extra.sets.push_back({fmt::format("{}={}", path, value.text()), false});
        overrides.sets.push_back(value);
        continue;
      }
      Finding& finding = report.at(value, "no template set has the value `{}`", key);
      const std::string_view best = nearest(key, std::vector<std::string_view>(keys.begin(), keys.end()));
      if (best.empty()) finding.help("remove it; `capwright schema print` lists the values");
      else finding.help("did you mean `{}`?", best);
    }
  }
}

void read_files(const ChartSource& source, const RepositoryClusters& clusters, Overrides& overrides, Report& report) {
  if (is_generated(source.path)) return;
  for (const Node& parameter : lint::plugin_parameters(source, "values")) {
    for (const Node file : parameter["array"].items()) {
      if (!file.is(Kind::String) || is_generated(file.text())) continue;
      const std::string path = clusters.project_path(file.text(), source.path);
      if (path.empty()) continue;  // outside of the folder of capwright.yaml
      if (clusters.exists(path)) {
        overrides.extra.files.push_back(path);
        overrides.files.push_back(file);
        continue;
      }
      report.at(file, "the values file `{}` doesn't exist", file.text())
          .note("a path is relative to the source's `path`, `{}`", source.path.empty() ? "." : source.path)
          .help("commit `{}`, or correct the path", path);
    }
  }
}

// Loads the cluster as the plugin does.
void check_values(const ChartSource& source, const Cluster& cluster, Report& report) {
  const RepositoryClusters* clusters = cluster.context().clusters;
  if (clusters == nullptr || is_generated(source.repository) || !clusters->may_be_at(source.repository)) return;
  Overrides overrides;
  read_sets(source, *clusters, overrides, report);
  read_files(source, *clusters, overrides, report);
  const std::vector<Node> named = lint::plugin_parameters(source, "cluster");
  if (named.empty() || (overrides.sets.empty() && overrides.files.empty())) return;
  const std::string_view name = named.front()["string"].text();
  if (name.empty() || is_generated(name) || is_generated(source.path)) return;
  const std::string values = clusters->values_file(name, source.path);
  if (values.empty()) return;  // CAP821
  for (const RepositoryClusters::Fault& fault : clusters->faults(values, overrides.extra)) {
    const Node& place = fault.is_file ? overrides.files[fault.number] : overrides.sets[fault.number];
    Finding& finding = report.at(place, "{}", fault.message);
    finding.note("the plugin reports {} for `{}` instead of manifests", fault.code, values);
    if (!fault.help.empty()) finding.help("{}", fault.help);
  }
}

void check_source(const ChartSource& source, Report& report) {
  for (const Node parameter : source.node["plugin.parameters"].items()) {
    const std::string_view name = parameter["name"].text();
    if (is_generated(name)) continue;
    const auto known = std::find_if(kPluginParameters.begin(), kPluginParameters.end(),
                                    [&](const PluginParameter& each) { return each.name == name; });
    if (known == kPluginParameters.end()) check_name(parameter, report);
    else check_field(parameter, *known, report);
  }
  for (const PluginParameter& known : kPluginParameters) {
    const std::vector<Node> given = lint::plugin_parameters(source, known.name);
    if (given.size() < 2) continue;
    report.at(given[1]["name"], "the parameter `{}` is given twice", known.name)
        .also(given[0]["name"], "first here")
        .help("remove one of them");
  }
  const Node env = source.node["plugin.env"];
  if (env && env.size() != 0)
    report.at(env, "the plugin doesn't read `env`").help("use `parameters`").as(Severity::Warning);
}

// Plugins that complete the credentials of a tree read the add-ons only if `part` is `addons`, and no other parameter.
void check_tree_part(const ChartSource& source, Report& report) {
  std::string_view path = source.path;
  while (path.ends_with('/')) path.remove_suffix(1);
  const bool is_of_addons = !is_generated(path) && is_below_clusters(path) && path.ends_with("/addons");
  const std::vector<Node> given = lint::plugin_parameters(source, "part");
  const Node part = given.empty() ? Node() : given.front()["string"];
  if (is_generated(part.text()) || part.text() == "addons" || (part.text() == "cluster" && !is_of_addons)) return;
  if (given.empty()) {
    const Node parameters = source.node["plugin.parameters"];
    if (!is_of_addons) return;
    report.at(parameters ? parameters : source.node["plugin.name"], "the parameter `part` is missing")
        .note("the plugin then reads only the files in `{}` itself, without the Applications of the add-ons", path)
        .help("add `- {{name: part, string: addons}}` to `parameters`");
    return;
  }
  Finding& finding = part.text().empty() ? report.at(given.front(), "the parameter `part` has no `string`")
                                         : report.at(part, "the parameter `part` is `{}`", part.text());
  if (part.text() == "cluster") finding.note("the path is that of add-ons, and the plugin reads only its own files");
  else finding.note("the plugin reads it as `cluster`");
  finding.help("use {}`addons`", is_of_addons ? "" : "`cluster` or ");
}

// An ApplicationSet that makes two Applications for each cluster, and doesn't tell the plugin which one it renders.
void check_part_of_set(const Object& set, const ChartSource& source, Report& report) {
  if (!has_parts(set)) return;
  const std::vector<Node> given = lint::plugin_parameters(source, "part");
  if (!given.empty()) {
    const Node part = given.front()["string"];
    if (part.text().find(".part") == std::string_view::npos && part)
      report.at(part, "the parameter `part` is `{}` for both Applications of a cluster", part.text())
          .note("both then apply the same, and take the objects from each other")
          .help("set `string: '{{{{ .part }}}}'`");
    return;
  }
  const Node parameters = source.node["plugin.parameters"];
  report.at(parameters, "the parameter `part` is missing")
      .note("both Applications of a cluster then apply everything, and take the objects from each other")
      .help("add `- {{name: part, string: '{{{{ .part }}}}'}}` to `parameters`");
}

void check(const Object& application, Report& report) {
  for (const ChartSource& source : sources_of(application)) {
    if (has_own_plugin(source) && !renders_values(source)) check_tree_part(source, report);
  }
  for (const ChartSource& source : plugin_sources(application)) {
    check_source(source, report);
    check_part_of_set(application, source, report);
    check_values(source, application.cluster(), report);
  }
}

}  // namespace

CW_LINT_RULE(plugin_parameters){
    .code = "CAP820",
    .name = "plugin-parameters",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Application ApplicationSet",
    .docs = R"md(
## What it does

Reports parameters of an Application that [capwright's plugin](argocd.md#the-plugin) doesn't read: an unknown name, a value below the
wrong field, a parameter that is given twice, `env`, and what `capwright cmp generate` would reject in `set` and `values`: unknown keys,
values of the wrong type, files that don't exist.

Reports an ApplicationSet whose Applications have names by `.part`, but no parameter `part`.

For the plugins `capwright-avp` and `capwright-sops`, reports an unknown `part`, and an Application of add-ons without `part: addons`.

## Why is this bad?

The plugin reports an error for the whole Application, so nothing is synced. It shows only in Argo CD. The plugin ignores `env`.

`capwright-avp` and `capwright-sops` read another `part` as `cluster`: the Applications in the subfolders of `addons/` are left out, and
pruned.

| parameter | field |
|---|---|
| `cluster` | `string` |
| `part` | `string`: `all`, `cluster` or `addons` |
| `values` | `array` |
| `set` | `map` |

## Example

```yaml
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-a}
spec:
  source:
    plugin:
      name: capwright
      parameters:
        - {name: cluster, string: prod-a}
        - name: vlues   # error: [plugin-parameters] "the plugin has no parameter `vlues`"
          array: [overrides.yaml]
        - name: set
          string: worker_count=3   # error: [plugin-parameters] "has `string`; expected `map`"
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
      parameters:
        - {name: cluster, string: prod-a}
        - {name: part, string: cluster}
        - {name: values, array: [overrides.yaml]}
        - {name: set, map: {worker_count: "3"}}
```

## Fix

Unsafe: replaces the name by a similar one.
)md",
    .fixes = Safety::Unsafe,
    .check_object = check,
};

}  // namespace capwright::lint::rules::plugin_parameters
