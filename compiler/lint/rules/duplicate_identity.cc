// CAP211: duplicate objects, in one cluster's files or across clusters.
#include <fmt/format.h>
#include <map>
#include <tuple>

#include "lint/engine/fleet_keys.h"
#include "lint/engine/rule.h"
#include "pipeline/template_set.h"

namespace capwright::lint::rules::duplicate_identity {
namespace {

using Identity = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

// Without the API version: versions of a kind are views of one object.
Identity identity_of(const Object& object) { return {object.group(), object.kind(), object.space(), object.name()}; }

bool is_own_resource(const Object& object) { return object.file().rendered != nullptr && object.file().rendered->own; }

// Of the kinds that repositories often share.
bool has_namespace(const Object& object) {
  const std::string_view kind = object.kind();
  return kind != "Namespace" && kind != "CustomResourceDefinition" && !kind.starts_with("Cluster") &&
         !kind.ends_with("Class");
}

// A file that several clusters have in `resources`, often from a layer.
void add_help_for_resource(const Object& object, const Object& first, Finding& finding) {
  const std::string_view space = first.cluster().values()["namespace"].text();
  const bool differs = !space.empty() && space != object.cluster().values()["namespace"].text();
  const std::string_view edit =
      differs && has_namespace(object) ? "set `namespace: {{ namespace }}`" : "put `{{ cluster_name }}` into its name";
  finding.help("keep it in `resources` of one cluster; or {}, in a file that ends in `.j2`", edit);
}

// Values that only built-in sets read don't help in own templates.
void add_help(const Object& object, const Object& first, Finding& finding) {
  const TemplateSet* set = object.cluster().templates();
  const bool is_namespace = object.kind() == "Namespace";
  if (set == nullptr) return;
  if (!set->plain) {
    const bool is_of_two = &object.cluster() != &first.cluster();
    if (is_of_two && is_own_resource(object) && is_own_resource(first)) add_help_for_resource(object, first, finding);
    else if (is_of_two && is_namespace)
      finding.help("set `create_namespace: false` in all but one of the clusters that share it");
    else if (is_own_resource(object) || is_own_resource(first)) finding.help("remove it from the files in `resources`");
    return;
  }
  const auto is_loose = [](const Object* each) { return each->cluster().values() && each->file().rendered == nullptr; };
  const Object* loose = is_loose(&object) ? &object : &first;
  if (is_loose(loose)) finding.help("delete it from `{}`, which no template writes", loose->file().path);
  else if (&object.cluster() == &first.cluster()) finding.help("remove one of them from the templates");
  else if (is_namespace)
    finding.help(
        "let one cluster render it, such as below `{{% if create_namespace | default(true) %}}` with "
        "`create_namespace: false` in the values of the others");
  else finding.help("put the name of the cluster into its name or namespace");
}

void check(const Fleet& fleet, Report& report) {
  std::map<Identity, const Object*> first;
  for (const Cluster* cluster : fleet.clusters) {
    for (const Object* object : cluster->objects()) {
      if (object->name().empty()) continue;
      const auto [known, is_new] = first.try_emplace(identity_of(*object), object);
      if (is_new) continue;
      Finding& finding = report.at(*object, "{} is defined twice", object->title());
      const Object& other = *known->second;
      finding.also(other, "also here");
      // Both may come from one line of a file that the clusters share.
      const bool has_names = cluster != &other.cluster() && !cluster->name().empty() && !other.cluster().name().empty();
      if (has_names) finding.note("it is in the clusters `{}` and `{}`", other.cluster().name(), cluster->name());
      finding.note("each sync of Argo CD overwrites one with the other");
      if (cluster->values()) add_help(*object, other, finding);
      else finding.help("remove one of the manifests, or give one another name or namespace");
    }
  }
}

void give_keys(const Cluster& cluster, FleetKeys& keys) {
  for (const Object* object : cluster.objects()) {
    if (object->name().empty()) continue;
    keys.add({"duplicate-identity", object->group(), object->kind(), object->space(), object->name()});
  }
}

}  // namespace

CW_LINT_RULE(duplicate_identity){
    .code = "CAP211",
    .name = "duplicate-identity",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports two manifests of the same object: same kind, namespace and name.

## Why is this bad?

The API server keeps one of them, depending on the order in which they are applied. Argo CD reports the object as shared
between Applications. The API version makes no difference: `v1beta1` and `v1beta2` of a kind are the same object. The
manifests may be in one cluster's folder or in two.

## Example

```yaml
apiVersion: v1
kind: Namespace
metadata: {name: prod}
---
apiVersion: v1
kind: Namespace
metadata: {name: prod}   # error: [duplicate-identity] "Namespace `prod` is defined twice"
```

## Use instead

```yaml file=clusters/a/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: pool, namespace: a}
```
```yaml file=clusters/b/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata: {name: pool, namespace: b}
```
)md",
    .check_fleet = check,
    .fleet_keys = give_keys,
};

}  // namespace capwright::lint::rules::duplicate_identity
