// CAP205: a topology that its ClusterClass doesn't allow.
#include <algorithm>
#include <set>

#include "admission/class_variables.h"
#include "diag/suggest.h"
#include "lint/engine/rule.h"

namespace capwright::lint::rules::topology_mismatch {
namespace {

// The lists of pools and of worker classes.
constexpr std::string_view kWorkers[] = {"machineDeployments", "machinePools"};

const Object* class_of(const Object& cluster) {
  const Node reference = cluster["spec.topology.classRef"];
  Node name = reference["name"], space = reference["namespace"];
  if (!reference) {  // v1beta1
    name = cluster["spec.topology.class"];
    space = cluster["spec.topology.classNamespace"];
  }
  const std::string_view in = space ? space.text() : cluster.space();
  const Objects found = cluster.cluster().named("ClusterClass", in, name.text());
  return found.empty() ? nullptr : found.front();
}

std::vector<std::string_view> texts_at(const Node& list, std::string_view key) {
  std::vector<std::string_view> texts;
  for (const Node item : list.items()) texts.push_back(item.member(key).text());
  return texts;
}

bool is_among(const std::vector<std::string_view>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

class Check {
 public:
  Check(const Object& cluster, const Object& owner, Report& report)
      : cluster_(cluster), class_(owner), report_(report), definitions_(owner["spec.variables"]) {
    for (const Node patch : owner["spec.patches"].items()) {
      if (patch["external.discoverVariablesExtension"]) has_all_variables_ = false;
    }
  }

  void run() {
    check_version();
    const Node topology = cluster_["spec.topology"];
    check_variables(topology["variables"]);
    check_required(topology);
    check_variables(topology["controlPlane.variables.overrides"]);
    for (const std::string_view list : kWorkers) {
      const std::vector<std::string_view> classes = texts_at(class_["spec.workers"].member(list), "class");
      for (const Node pool : topology["workers"].member(list).items()) {
        check_worker(pool["class"], classes);
        check_variables(pool["variables.overrides"]);
      }
    }
  }

 private:
  void check_version() {
    const Node version = cluster_["spec.topology.version"], versions = class_["spec.kubernetesVersions"];
    std::vector<std::string_view> known;
    for (const Node each : versions.items()) known.push_back(each.text());
    if (known.empty() || !version || is_among(known, version.text())) return;
    report_.at(version, "`{}` isn't a version of ClusterClass `{}`", version.text(), class_.name())
        .also(versions, "its versions")
        .help("use {}, or add the version to the class", list_names(known));
  }

  void check_worker(const Node& worker, const std::vector<std::string_view>& classes) {
    if (!worker || is_among(classes, worker.text())) return;
    Finding& finding = report_.at(worker, "ClusterClass `{}` has no worker class `{}`", class_.name(), worker.text());
    finding.also(class_["metadata.name"], "the class");
    if (!classes.empty()) finding.help("use {}", list_names(classes));
  }

  void check_variables(const Node& variables) {
    for (const Node variable : variables.items()) {
      const Node name = variable["name"];
      const Node definition = definition_of(name.text());
      if (!name || (!definition && !has_all_variables_)) continue;
      if (!definition) {
        const std::vector<std::string_view> names = texts_at(definitions_, "name");
        Finding& finding = report_.at(name, "ClusterClass `{}` has no variable `{}`", class_.name(), name.text());
        if (names.empty()) finding.help("remove it: the class has no variables");
        else finding.help("use {}", list_names(names));
        continue;
      }
      check_value(variable["value"], definition);
    }
  }

  void check_value(const Node& value, const Node& definition) {
    const Node schema = definition["schema.openAPIV3Schema"];
    if (!value || !schema) return;
    for (const admission::VariableFault& fault :
         admission::variable_faults(value.value(), schema.value(), std::string(definition["name"].text()))) {
      const std::string why = fault.message.empty() ? "is missing" : fault.message;
      report_.at(value, "variable `{}` {}", fault.path, why).also(schema, "its schema");
    }
  }

  // Cluster API fills in a default first.
  void check_required(const Node& topology) {
    const std::vector<std::string_view> set = texts_at(topology["variables"], "name");
    for (const Node definition : definitions_.items()) {
      const std::string_view name = definition["name"].text();
      const bool is_filled = static_cast<bool>(definition["schema.openAPIV3Schema.default"]);
      if (!definition["required"].is_true() || is_filled || is_among(set, name)) continue;
      report_.at(topology["variables"], "ClusterClass `{}` requires variable `{}`", class_.name(), name)
          .also(definition["name"], "its definition")
          .help("set it in the variables of the topology");
    }
  }

  Node definition_of(std::string_view name) const {
    for (const Node definition : definitions_.items()) {
      if (definition["name"].text() == name) return definition;
    }
    return {};
  }

  const Object& cluster_;
  const Object& class_;
  Report& report_;
  Node definitions_;
  bool has_all_variables_ = true;  // false: an extension has more
};

void check(const Object& cluster, Report& report) {
  if (!cluster["spec.topology"]) return;
  const Object* owner = class_of(cluster);
  if (owner != nullptr) Check(cluster, *owner, report).run();
}

}  // namespace

CW_LINT_RULE(topology_mismatch){
    .code = "CAP205",
    .name = "topology-mismatch",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Cluster",
    .docs = R"md(
## What it does

Reports a Cluster whose topology doesn't fit its ClusterClass, if the class is among the manifests.

## Why is this bad?

A webhook of Cluster API compares both and rejects the Cluster: a worker class that the class doesn't have, a variable that
it doesn't define, a value that the variable's schema forbids, a required variable without a value, or a version that isn't
in its `kubernetesVersions`. If the class is created after the Cluster, the Cluster is accepted and never gets machines.

CEL rules of variables aren't evaluated. Unknown variables aren't reported if an extension defines variables of the class.

## Example

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: prod}
spec:
  topology:
    classRef: {name: openstack}
    version: v1.35.8
    variables:
      - name: falvor   # error: [topology-mismatch] "has no variable `falvor`"
        value: m1.large
    workers:
      machineDeployments:
        - class: gpu   # error: [topology-mismatch] "has no worker class `gpu`"
          name: a
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: openstack, namespace: prod}
spec:
  workers: {machineDeployments: [{class: general}]}
  variables:
    - {name: flavor, required: false, schema: {openAPIV3Schema: {type: string}}}
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod, namespace: prod}
spec:
  topology:
    classRef: {name: openstack}
    version: v1.35.8
    variables:
      - name: flavor
        value: m1.large
    workers:
      machineDeployments:
        - class: general
          name: a
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: ClusterClass
metadata: {name: openstack, namespace: prod}
spec:
  workers: {machineDeployments: [{class: general}]}
  variables:
    - {name: flavor, required: false, schema: {openAPIV3Schema: {type: string}}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::topology_mismatch
