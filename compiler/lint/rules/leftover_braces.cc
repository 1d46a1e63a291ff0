// CAP102: unrendered template expressions.
#include <algorithm>

#include "lint/engine/rule.h"
#include "lint/facts/credentials.h"
#include "text/trim.h"

namespace capwright::lint::rules::leftover_braces {
namespace {

// Groups whose objects contain no template syntax except for cloud-init's on a machine.
bool is_plain(const Object& object) {
  // The patches of a ClusterClass and the values of a HelmChartProxy are Go templates.
  if (object.kind() == "ClusterClass" || object.kind() == "HelmChartProxy") return false;
  // The commands of a plugin are scripts.
  const bool is_of_argo =
      object.group() == "argoproj.io" && object.kind() != "ApplicationSet" && object.kind() != "ConfigManagementPlugin";
  return object.group().ends_with("cluster.x-k8s.io") || object.group() == "openstack.k-orc.cloud" || is_of_argo ||
         object.kind() == "Namespace";
}

// Whether it is cloud-init's instance data, by the first name of the expression.
bool is_of_cloud_init(std::string_view expression) {
  constexpr std::string_view kNames[] = {
      "ds",         "v1",         "local_hostname",  "instance_id", "availability_zone",
      "region",     "cloud_name", "platform",        "distro",      "machine",
      "meta_data",  "userdata",   "public_ssh_keys", "subplatform", "merged_cfg",
      "system_info"};
  const std::string_view name = expression.substr(0, expression.find_first_of(".[ |"));
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Below these paths, texts are scripts and files of a machine, where braces are legal.
bool is_machine_file(std::string_view path) {
  constexpr std::string_view kParts[] = {"ommands[", "files[", "ignition", "serData"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return path.find(part) != std::string_view::npos; });
}

struct Leftover {
  std::string_view text;  // including the braces; empty: none
  bool variable = false;  // of the form `${…}`
};

Leftover leftover_in(std::string_view text) {
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>("{{", "}}"), {"{%", "%}"}}) {
    for (std::size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at + 2)) {
      const std::size_t end = text.find(close, at);
      if (end == std::string_view::npos) break;
      const std::string_view whole = text.substr(at, end + 2 - at);
      if (!is_of_cloud_init(trimmed(whole.substr(2, whole.size() - 4), " \t\n-"))) return {whole};
    }
  }
  for (std::size_t at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
    const std::size_t end = text.find('}', at);
    if (end == std::string_view::npos) break;
    const std::string_view name = text.substr(at + 2, end - at - 2);
    // Images with Ignition replace these on the machine.
    const bool on_machine = name.starts_with("COREOS_") || name.starts_with("AFTERBURN_");
    if (!on_machine) return {text.substr(at, end + 1 - at), true};
  }
  return {};
}

// Braces may be escaped.
bool may_hold_leftovers(std::string_view yaml) {
  constexpr std::string_view kMarks[] = {"{{", "{%", "${", "\\"};
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](std::string_view mark) { return yaml.find(mark) != std::string_view::npos; });
}

void check(const Object& object, Report& report) {
  const Span written = object.root().whole_span();
  if (!is_plain(object) || !may_hold_leftovers(object.cluster().sources().text(written))) return;
  each_text(object.root(), [&](const Node& node, std::string_view) {
    if (node.text().find('{') == std::string_view::npos || is_tainted(node)) return;
    const Leftover leftover = leftover_in(node.text());
    if (leftover.text.empty() || is_machine_file(node.path())) return;
    Finding& finding = report.at(node, "`{}` isn't rendered", leftover.text);
    if (!leftover.variable) {
      finding.help("render the file with its template engine, and check `{{% raw %}}` around the expression");
      return;
    }
    finding.severity = Severity::Warning;
    finding.note("neither Git nor Argo CD substitutes variables; `clusterctl generate` and Flux do")
        .help("write the value, unless something substitutes it before it is applied");
  });
}

}  // namespace

CW_LINT_RULE(leftover_braces){
    .code = "CAP102",
    .name = "leftover-braces",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a template expression that is left in a rendered manifest.

## Why is this bad?

The API server receives the expression as text: a flavor named `{{ values.flavor }}` doesn't exist, so its machines are never
created. Causes are a file that wasn't rendered, a file for another engine (Helm, clusterctl), and a `{% raw %}` that ends
too late.

The rule checks objects of Cluster API, of Argo CD and of the OpenStack resource controller. It accepts what cloud-init fills
in on the machine (`{{ local_hostname }}`, `${COREOS_OPENSTACK_HOSTNAME}`), scripts and files of machines, ApplicationSets,
ConfigManagementPlugins, ClusterClasses and HelmChartProxies. `${VAR}` is only a warning, since a later step may substitute
it.

## Example

```yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
spec:
  template:
    spec:
      flavor: "{{ values.flavor }}"   # error: [leftover-braces] "`{{ values.flavor }}` isn't rendered"
      image: {filter: {name: "{% if fips %}fips{% endif %}"}}   # error: [leftover-braces]
```

## Use instead

```yaml
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
spec:
  kubeadmConfigSpec:
    initConfiguration:
      nodeRegistration:
        name: "{{ local_hostname }}"
        kubeletExtraArgs: [{name: provider-id, value: "openstack:///{{ instance_id }}"}]
    joinConfiguration:
      nodeRegistration: {name: "${COREOS_OPENSTACK_HOSTNAME}"}
    preKubeadmCommands: ["echo ${HOSTNAME} {{ anything }}"]
```
)md",
    .instead_of_server = true,
    .check_object = check,
};

}  // namespace capwright::lint::rules::leftover_braces
