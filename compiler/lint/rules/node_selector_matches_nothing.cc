// CAP605: selectors of add-ons for control plane nodes, whose label value depends on the distribution.
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"

namespace capwright::lint::rules::node_selector_matches_nothing {
namespace {

constexpr std::string_view kLabel = "node-role.kubernetes.io/control-plane";
constexpr std::string_view kController = "openstack-cloud-controller-manager";
constexpr int kDeepest = 12;  // nesting depth of values that are searched

// The label of the cluster's nodes, and the component that sets it.
struct Distribution {
  std::string_view title, value;
};

// Empty when control planes of several distributions exist, or none whose nodes have the label.
std::optional<Distribution> distribution_of(const Cluster& tree) {
  const bool rke2 = !tree.of_kind("RKE2ControlPlane").empty(), k3s = !tree.of_kind("KThreesControlPlane").empty();
  const bool kubeadm = !tree.of_kind("KubeadmControlPlane").empty();
  if (int{rke2} + int{k3s} + int{kubeadm} != 1) return std::nullopt;
  if (kubeadm) return Distribution{"kubeadm", ""};
  return Distribution{rke2 ? "RKE2" : "k3s", "true"};
}

void check_values(const Node& values, const Distribution& distribution, int depth, Report& report) {
  if (depth > kDeepest) return;
  const Node selected = values["nodeSelector"].member(kLabel);
  if (selected && selected.is(Kind::String) && selected.text() != distribution.value)
    report
        .at(selected, "{} labels control planes `{}: \"{}\"`, so \"{}\" matches no node", distribution.title, kLabel,
            distribution.value, selected.text())
        .note("the pods stay Pending")
        .help("write \"{}\"", distribution.value)
        .fix(selected, std::string(distribution.value), Safety::Unsafe, "select the label that nodes have");
  for (const auto& [key, value] : values.members()) {
    if (value.is(Kind::Map)) check_values(value, distribution, depth + 1, report);
  }
  for (const Node item : values.items()) {
    if (item.is(Kind::Map)) check_values(item, distribution, depth + 1, report);
  }
}

// The file of the tree for a value file such as `$values/clusters/a/addons/canal/values.yaml`.
Node file_of(const Cluster& tree, std::string_view value_file) {
  const std::size_t slash = value_file.find('/');
  if (!value_file.starts_with('$') || slash == std::string_view::npos) return {};
  const std::string_view path = value_file.substr(slash + 1);
  const File* found = tree.file(path);
  return found == nullptr ? Node() : found->root();
}

// The chart's default is kubeadm's label.
void check_default(const Node& values, const Distribution& distribution, Report& report) {
  if (distribution.value.empty() || !values) return;
  report
      .at(values, "the chart's default `nodeSelector` is `{}: \"\"`, but {} labels control planes \"{}\"", kLabel,
          distribution.title, distribution.value)
      .note(
          "the controller stays Pending, and every node keeps the taint "
          "`node.cloudprovider.kubernetes.io/uninitialized`")
      .help("set `nodeSelector: {{{}: \"{}\"}}`", kLabel, distribution.value);
}

void check_application(const Object& application, const Distribution& distribution, Report& report) {
  for (const ChartSource& source : sources_of(application)) {
    if (source.chart.empty()) continue;
    Node last;
    bool is_chosen = false;
    const auto look_at = [&](const Node& values) {
      if (!values) return;
      check_values(values, distribution, 0, report);
      is_chosen = is_chosen || values["nodeSelector"];
      last = values;
    };
    for (const Node file : source.value_files()) look_at(file_of(application.cluster(), file.text()));
    look_at(source.node["helm.values"].yaml());
    look_at(source.node["helm.valuesObject"]);
    if (source.chart.ends_with(kController) && !is_chosen) check_default(last, distribution, report);
  }
}

void check(const Cluster& tree, Report& report) {
  const auto distribution = distribution_of(tree);
  if (!distribution) return;
  for (const Object* application : tree.of_kind("Application")) {
    if (is_application(*application) && !is_in_cluster(*application))
      check_application(*application, *distribution, report);
  }
}

}  // namespace

CW_LINT_RULE(node_selector_matches_nothing){
    .code = "CAP605",
    .name = "node-selector-matches-nothing",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an add-on that selects control plane nodes by a label value that these nodes don't have.

## Why is this bad?

kubeadm labels control planes `node-role.kubernetes.io/control-plane: ""`; RKE2 and k3s use `"true"`. A `nodeSelector`
compares text, so a value for one distribution matches no node of the other. If the OpenStack cloud controller manager can't
be scheduled, all nodes keep the taint `uninitialized`, and no pod starts. Its chart selects the empty value by default, so
on RKE2 and k3s a missing selector is wrong, too.

## Example

```yaml file=clusters/prod/cluster.yaml
kind: RKE2ControlPlane
metadata: {name: prod}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-openstack-ccm}
spec:
  destination: {name: prod}
  sources:
    - chart: openstack-cloud-controller-manager
      helm: {valueFiles: [$values/clusters/prod/addons/openstack-ccm/values.yaml]}
```
```yaml file=clusters/prod/addons/openstack-ccm/values.yaml
nodeSelector:
  node-role.kubernetes.io/control-plane: ""   # error: [node-selector-matches-nothing] "RKE2 labels control planes"
```

## Use instead

```yaml file=clusters/prod/cluster.yaml
kind: RKE2ControlPlane
metadata: {name: prod}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-openstack-ccm}
spec:
  destination: {name: prod}
  sources:
    - chart: openstack-cloud-controller-manager
      helm: {valueFiles: [$values/clusters/prod/addons/openstack-ccm/values.yaml]}
```
```yaml file=clusters/prod/addons/openstack-ccm/values.yaml
nodeSelector: {node-role.kubernetes.io/control-plane: "true"}
```

## Fix

Unsafe: selects the label value that the nodes have.
)md",
    .fixes = Safety::Unsafe,
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::node_selector_matches_nothing
