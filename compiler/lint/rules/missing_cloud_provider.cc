// CAP603: nodes of OpenStack without the cloud controller manager, or vice versa.
#include "lint/engine/rule.h"
#include "lint/facts/applications.h"
#include "lint/facts/openstack.h"

namespace capwright::lint::rules::missing_cloud_provider {
namespace {

constexpr std::string_view kController = "cloud-controller-manager";

// `{name, value}` of v1beta2, a map of v1beta1, or `name=value` of RKE2 and k3s.
bool has_flag(const Node& flags, std::string_view name, std::string_view value = {}) {
  for (const auto& [key, entry] : flags.members()) {
    if (key == name && (value.empty() || entry.text() == value)) return true;
  }
  for (const Node flag : flags.items()) {
    if (flag["name"].text() == name && (value.empty() || flag["value"].text() == value)) return true;
    const std::string_view text = flag.text();
    if (text.starts_with(name) && text.substr(name.size()).starts_with('=') &&
        (value.empty() || text.substr(name.size() + 1) == value))
      return true;
  }
  return false;
}

void report_flag(const Node& flags, std::string_view what, Report& report) {
  report.at(flags, "{} without `cloud-provider=external`: kubelets start without a cloud provider", what)
      .note("the cloud controller manager ignores these nodes: no addresses, no load balancers, no volumes")
      .help("add the kubelet's argument `cloud-provider` with the value `external`");
}

void check_provider_id(const Node& flags, Report& report) {
  if (has_flag(flags, "provider-id")) return;
  report.at(flags, "the kubelet has no `provider-id`")
      .note("Cluster API finds a machine's node by it; without it, only after the cloud controller manager has run")
      .help("add `provider-id` with `openstack:///` and the instance's ID")
      .as(Severity::Warning);
}

void check_flags(const Node& flags, std::string_view what, Report& report) {
  if (!has_flag(flags, "cloud-provider", "external")) return report_flag(flags, what, report);
  check_provider_id(flags, report);
}

void check_control_plane(const Object& owner, Report& report) {
  if (owner.kind() == "KubeadmControlPlane") {
    const Node config = owner["spec.kubeadmConfigSpec"];
    check_flags(config["initConfiguration.nodeRegistration.kubeletExtraArgs"], "the first control plane", report);
    check_flags(config["joinConfiguration.nodeRegistration.kubeletExtraArgs"], "further control planes", report);
  } else if (owner.kind() == "RKE2ControlPlane") {
    const Node flags = owner["spec.agentConfig.kubelet.extraArgs"];
    if (owner["spec.serverConfig.cloudProviderName"].text() != "external")
      return check_flags(flags, "control planes", report);
    check_provider_id(flags, report);
  } else {
    const Node flags = owner["spec.kthreesConfigSpec.agentConfig.kubeletArgs"];
    if (owner["spec.kthreesConfigSpec.serverConfig.cloudProviderName"].text() != "external")
      return check_flags(flags, "control planes", report);
    check_provider_id(flags, report);
  }
}

void check_pool(const MachineSet& set, Report& report) {
  const Object* config = object_at(*set.owner, set.bootstrap);
  if (config == nullptr) return;
  const Node spec = (*config)["spec.template.spec"];
  if (config->kind() == "KubeadmConfigTemplate")
    check_flags(spec["joinConfiguration.nodeRegistration.kubeletExtraArgs"], "workers", report);
  else if (config->kind() == "RKE2ConfigTemplate")
    check_flags(spec["agentConfig.kubelet.extraArgs"], "workers", report);
  else if (config->kind() == "KThreesConfigTemplate") check_flags(spec["agentConfig.kubeletArgs"], "workers", report);
}

bool mentions_controller(const Object& object) {
  for (const auto& [key, text] : object["data"].members()) {
    if (text.text().find(kController) != std::string_view::npos) return true;
  }
  for (const auto& [key, text] : object["stringData"].members()) {
    if (text.text().find(kController) != std::string_view::npos) return true;
  }
  return false;
}

// Whether the tree contains add-ons but not the controller. Without any add-ons, they are installed another way.
bool lacks_controller(const Cluster& tree) {
  bool has_addons = false;
  for (const Object* object : tree.objects()) {
    if (object->kind() == "HelmChartProxy" || object->kind() == "HelmReleaseProxy" || mentions_controller(*object))
      return false;
    if (!is_application(*object) || is_in_cluster(*object)) continue;
    for (const ChartSource& source : sources_of(*object)) {
      if (source.chart.find(kController) != std::string_view::npos ||
          source.path.find(kController) != std::string_view::npos || source.path.find("ccm") != std::string_view::npos)
        return false;
      has_addons = has_addons || !source.chart.empty();
    }
  }
  return has_addons;
}

void check(const Cluster& tree, Report& report) {
  const Object* control_plane = nullptr;
  for (const MachineSet& set : machine_sets(tree)) {
    if (openstack_of(*set.cluster) == nullptr) continue;
    if (set.is_control_plane) {
      check_control_plane(*set.owner, report);
      control_plane = set.owner;
    } else {
      check_pool(set, report);
    }
  }
  if (control_plane == nullptr || !lacks_controller(tree)) return;
  report.at(*control_plane, "the add-ons of this cluster include no cloud controller manager")
      .note("nodes keep the taint `node.cloudprovider.kubernetes.io/uninitialized`, and most pods can't run on them")
      .help("add the chart `openstack-cloud-controller-manager`");
}

}  // namespace

CW_LINT_RULE(missing_cloud_provider){
    .code = "CAP603",
    .name = "missing-cloud-provider",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports OpenStack nodes without `cloud-provider=external`, or a cluster without a cloud controller manager.

## Why is this bad?

A kubelet with `cloud-provider=external` starts with a taint that only the cloud controller manager removes. A kubelet
without it has no cloud integration. The argument is needed for the first control plane, for joining control planes and for
every pool; a missing one in `joinConfiguration` often shows only when the first machine is replaced. A missing `provider-id`
is a warning: Cluster API then waits for the controller to set it.

If the tree has no add-ons, the controller is assumed to be installed in another way.

## Example

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: KubeadmControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
---
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  kubeadmConfigSpec:
    initConfiguration:
      nodeRegistration:
        kubeletExtraArgs:   # warning: [missing-cloud-provider] "has no `provider-id`"
          - {name: cloud-provider, value: external}
    joinConfiguration:
      # error: [missing-cloud-provider] "further control planes without `cloud-provider=external`"
      nodeRegistration: {name: node}
```

## Use instead

```yaml
kind: Cluster
metadata: {name: prod}
spec:
  controlPlaneRef: {kind: RKE2ControlPlane, name: prod}
  infrastructureRef: {kind: OpenStackCluster, name: prod}
---
kind: OpenStackCluster
metadata: {name: prod}
---
kind: RKE2ControlPlane
metadata: {name: prod}
spec:
  serverConfig: {cloudProviderName: external}
  agentConfig: {kubelet: {extraArgs: ["provider-id=openstack:///{{ ds.meta_data.uuid }}"]}}
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: prod-openstack-ccm}
spec: {destination: {name: prod}, source: {chart: openstack-cloud-controller-manager, targetRevision: 2.36.0}}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::missing_cloud_provider
