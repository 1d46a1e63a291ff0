// CAP621: flags of kubeadm's components that name files outside of their volumes.
#include <algorithm>
#include <array>

#include "lint/engine/rule.h"

namespace capwright::lint::rules::unmounted_file {
namespace {

// Folders that kubeadm mounts into the pods of its components if they exist (kubeadm v1.35
// phases/controlplane/volumes.go).
constexpr std::array kMounted = {"/etc/ssl/certs", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates",
                                 "/usr/local/share/ca-certificates"};

// Whether a flag's value is a file that the component opens.
bool names_file(std::string_view flag) {
  constexpr std::array kEnds = {"-file", "-cafile", "-certfile", "-keyfile", "-config", "kubeconfig", "-log-path"};
  return flag == "config" ||
         std::any_of(kEnds.begin(), kEnds.end(), [&](std::string_view end) { return flag.ends_with(end); });
}

bool is_below(std::string_view path, std::string_view folder) {
  while (folder.ends_with('/')) folder.remove_suffix(1);
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

// What kubeadm mounts by itself: certificates, and the kubeconfig of the component.
bool is_mounted(std::string_view path, std::string_view component, std::string_view certificates) {
  if (is_below(path, certificates)) return true;
  if (component == "controllerManager" && path == "/etc/kubernetes/controller-manager.conf") return true;
  if (component == "scheduler" && path == "/etc/kubernetes/scheduler.conf") return true;
  return std::any_of(kMounted.begin(), kMounted.end(), [&](std::string_view folder) { return is_below(path, folder); });
}

bool has_volume(const Node& component, std::string_view path) {
  for (const Node volume : component["extraVolumes"].items()) {
    if (is_below(path, volume["mountPath"].text())) return true;
  }
  return false;
}

struct Component {
  std::string_view name;
  const Node& node;
  std::string_view certificates;
};

void check_flag(const Component& component, std::string_view flag, const Node& value, Report& report) {
  const std::string_view path = value.text();
  if (!path.starts_with('/') || !names_file(flag)) return;
  if (is_mounted(path, component.name, component.certificates) || has_volume(component.node, path)) return;
  report.at(value, "`{}` names `{}`, which isn't mounted into the pod", flag, path)
      .note("the component runs as a static pod; without the file, it doesn't start, and neither does the cluster")
      .help("add the file or its folder to `extraVolumes`");
}

void check(const Object& control_plane, Report& report) {
  const Node configuration = control_plane["spec.kubeadmConfigSpec.clusterConfiguration"];
  const std::string_view folder = configuration["certificatesDir"].text();
  const std::string_view certificates = folder.empty() ? "/etc/kubernetes/pki" : folder;
  for (const std::string_view name : {"apiServer", "controllerManager", "scheduler"}) {
    const Node node = configuration.member(name);
    const Component component{name, node, certificates};
    const Node flags = node["extraArgs"];
    for (const Node flag : flags.items()) check_flag(component, flag["name"].text(), flag["value"], report);
    for (const auto& [flag, value] : flags.members()) check_flag(component, flag, value, report);  // v1beta1
  }
}

}  // namespace

CW_LINT_RULE(unmounted_file){
    .code = "CAP621",
    .name = "unmounted-file",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds = "KubeadmControlPlane",
    .docs = R"md(
## What it does

Reports a flag of kubeadm's API server, controller manager or scheduler that names a file outside of the pod's volumes.

## Why is this bad?

The components are static pods, which see only the paths that are mounted into them. Without the file, the component ends
with an error, and the first control plane machine never becomes ready. Typical flags are `encryption-provider-config`,
`audit-policy-file`, `audit-webhook-config-file`, `admission-control-config-file` and the scheduler's `config`.

kubeadm itself mounts `certificatesDir`, the certificate folders of the operating system, and each component's kubeconfig.

## Example

```yaml
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  kubeadmConfigSpec:
    clusterConfiguration:
      apiServer:
        extraArgs:
          - name: encryption-provider-config
            value: /etc/kubernetes/encryption/config.yaml   # error: [unmounted-file] "isn't mounted into the pod"
    files:
      - path: /etc/kubernetes/encryption/config.yaml
        contentFrom: {secret: {name: prod-encryption, key: config.yaml}}
```

## Use instead

```yaml
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  kubeadmConfigSpec:
    clusterConfiguration:
      apiServer:
        extraArgs:
          - name: encryption-provider-config
            value: /etc/kubernetes/encryption/config.yaml
        extraVolumes:
          - name: encryption
            hostPath: /etc/kubernetes/encryption
            mountPath: /etc/kubernetes/encryption
    files:
      - path: /etc/kubernetes/encryption/config.yaml
        contentFrom: {secret: {name: prod-encryption, key: config.yaml}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::unmounted_file
