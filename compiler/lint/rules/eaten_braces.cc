// CAP103: expressions for cloud-init that a template engine has rendered to nothing.
#include "lint/engine/rule.h"
#include "lint/facts/credentials.h"

namespace capwright::lint::rules::eaten_braces {
namespace {

// `openstack:///` followed by nothing but quotes; also as an argument of the kubelet.
bool is_empty_provider_id(std::string_view text) {
  constexpr std::string_view kArgument = "provider-id=";
  if (const std::size_t at = text.find(kArgument); at != std::string_view::npos)
    text.remove_prefix(at + kArgument.size());
  constexpr std::string_view kSchemes[] = {"openstack://", "aws://", "azure://", "oci://", "vsphere://"};
  for (const std::string_view scheme : kSchemes) {
    if (text.starts_with(scheme)) return text.find_first_not_of("/'\" ", scheme.size()) == std::string_view::npos;
  }
  return false;
}

void check_name(const Node& name, Report& report) {
  if (!name.is(Kind::String) || name.text().find_first_not_of(" '\"") != std::string_view::npos) return;
  report.at(name, "the node's name is empty")
      .note(
          "an expression such as `{{{{ local_hostname }}}}` was meant for cloud-init, and a template has rendered it "
          "to nothing")
      .help("put it between `{{% raw %}}` and `{{% endraw %}}`");
}

void check(const Object& object, Report& report) {
  for (const Node config : {object["spec.kubeadmConfigSpec"], object["spec.template.spec"], object["spec"]}) {
    check_name(config["initConfiguration.nodeRegistration.name"], report);
    check_name(config["joinConfiguration.nodeRegistration.name"], report);
    check_name(config["agentConfig.nodeName"], report);
  }
  each_text(object["spec"], [&](const Node& node, std::string_view) {
    if (!is_empty_provider_id(node.text())) return;
    report.at(node, "the provider ID has no machine in it")
        .note(
            "an expression such as `{{{{ instance_id }}}}` was meant for cloud-init, and a template has rendered it to "
            "nothing")
        .help("put it between `{{% raw %}}` and `{{% endraw %}}`");
  });
}

}  // namespace

CW_LINT_RULE(eaten_braces){
    .code = "CAP103",
    .name = "eaten-braces",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds =
        "KubeadmControlPlane KubeadmConfig KubeadmConfigTemplate RKE2ControlPlane RKE2ConfigTemplate "
        "KThreesControlPlane KThreesConfigTemplate",
    .docs = R"md(
## What it does

Reports an empty value where cloud-init would fill in a value on the machine.

## Why is this bad?

cloud-init's expressions look like Jinja2's (`{{ instance_id }}`). Without `{% raw %}`, the template renders them itself, to
nothing. All machines then have the same provider ID, or no name: Cluster API never finds the node of a machine, and the
cluster stays in `Provisioning`.

## Example

```yaml
kind: KubeadmControlPlane
spec:
  kubeadmConfigSpec:
    initConfiguration:
      nodeRegistration:
        name: ""   # error: [eaten-braces] "the node's name is empty"
        kubeletExtraArgs:
          - {name: provider-id, value: "openstack:///"}   # error: [eaten-braces] "the provider ID has no machine in it"
```

## Use instead

```yaml
kind: KubeadmConfigTemplate
spec:
  template:
    spec:
      joinConfiguration:
        nodeRegistration:
          name: "{{ local_hostname }}"
          kubeletExtraArgs: [{name: provider-id, value: "openstack:///{{ instance_id }}"}]
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::eaten_braces
