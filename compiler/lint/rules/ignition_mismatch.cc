// CAP623: parts of a KubeadmConfigSpec that its format doesn't support.
#include "lint/engine/rule.h"

namespace capwright::lint::rules::ignition_mismatch {
namespace {

void check_text(const Node& node, Report& report) {
  if (node.text().find("{{") == std::string_view::npos) return;
  report.at(node, "Ignition doesn't replace `{{{{ … }}}}`, so this is the literal text")
      .note("the variables are cloud-init's; the node never gets its name or its provider id")
      .help("write another placeholder, and replace it in `/etc/kubeadm.yml` with a command of `preKubeadmCommands`");
}

void check_registration(const Node& registration, Report& report) {
  check_text(registration["name"], report);
  for (const Node flag : registration["kubeletExtraArgs"].items()) check_text(flag["value"], report);
}

void check_file(const Node& file, Report& report) {
  const std::string_view encoding = file["encoding"].text();
  if (file["append"].is_true())
    report.at(file["append"], "Ignition can't append, so the content replaces the file")
        .help("write the whole file, or append with a command of `preKubeadmCommands`");
  if (encoding.find("gzip") != std::string_view::npos)
    report.at(file["encoding"], "Ignition doesn't decode `{}`, so the file has the encoded bytes", encoding)
        .help("use `base64`, or no encoding");
  if (file["path"].text().starts_with("/usr/"))
    report.at(file["path"], "`/usr` is read-only on Flatcar, so Ignition fails and the machine doesn't start")
        .help("use a path below `/opt` or `/etc`");
}

void check_ignition(const Node& spec, Report& report) {
  check_registration(spec["initConfiguration.nodeRegistration"], report);
  check_registration(spec["joinConfiguration.nodeRegistration"], report);
  for (const Node file : spec["files"].items()) check_file(file, report);
  if (spec["bootCommands"])
    report.at(spec["bootCommands"], "Ignition ignores `bootCommands`").help("use a unit of systemd");
  for (const Node mount : spec["mounts"].items()) {
    if (!mount.item(0).text().starts_with("LABEL=")) continue;
    report.at(mount.item(0), "Ignition doesn't know `{}`, so the unit mounts nothing", mount.item(0).text())
        .help("write the `label` of the file system without `LABEL=`");
  }
}

void check_spec(const Node& spec, Report& report) {
  if (spec["format"].text() == "ignition") check_ignition(spec, report);
  else if (spec["ignition"])
    report.at(spec["ignition"], "without `format: ignition`, this has no effect")
        .help("set `format` to `ignition`, or remove it");
}

void check(const Object& object, Report& report) {
  if (object.kind() == "KubeadmControlPlane") check_spec(object["spec.kubeadmConfigSpec"], report);
  else if (object.kind() == "KubeadmConfig") check_spec(object["spec"], report);
  else check_spec(object["spec.template.spec"], report);
}

}  // namespace

CW_LINT_RULE(ignition_mismatch){
    .code = "CAP623",
    .name = "ignition-mismatch",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds = "KubeadmControlPlane KubeadmConfig KubeadmConfigTemplate",
    .docs = R"md(
## What it does

Reports fields of a KubeadmConfigSpec that Ignition ignores or reads otherwise, and `ignition` without `format: ignition`.

## Why is this bad?

Flatcar Container Linux has no cloud-init. Cluster API accepts a spec that was written for cloud-init and changes its format,
but its variables stay literal text, files are replaced instead of extended, and mounts have no device. The machine starts and
never becomes a node, or Ignition fails before it starts.

## Example

```yaml
kind: KubeadmConfigTemplate
metadata: {name: prod}
spec:
  template:
    spec:
      format: ignition
      joinConfiguration:
        nodeRegistration:
          name: "{{ local_hostname }}"   # error: [ignition-mismatch] "Ignition doesn't replace"
      files:
        - path: /usr/local/bin/agent   # error: [ignition-mismatch] "`/usr` is read-only on Flatcar"
          content: x
```

## Use instead

```yaml
kind: KubeadmConfigTemplate
metadata: {name: prod}
spec:
  template:
    spec:
      format: ignition
      joinConfiguration:
        nodeRegistration: {name: "@@NODE_NAME@@"}
      preKubeadmCommands:
        - sed -i "s|@@NODE_NAME@@|$(hostname)|" /etc/kubeadm.yml
      files:
        - path: /opt/bin/agent
          content: x
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::ignition_mismatch
