// CAP823: Applications in the folder `argocd/` that apply credentials without the plugin that completes them.
#include "lint/engine/rule.h"
#include "lint/facts/argocd_folder.h"
#include "lint/facts/credentials.h"

namespace capwright::lint::rules::credential_plugin {
namespace {

constexpr std::string_view kPluginPrefix = "capwright-";

bool has_vault_path(const Node& data) {
  for (const auto& [key, value] : data.members()) {
    if (value.text().find("<path:") != std::string_view::npos) return true;
  }
  return false;
}

// The form of the Secret that needs a plugin; empty: none. `chosen` by the values: what is rendered isn't encrypted
// yet.
std::string_view form_of(const Object& secret, std::string_view chosen) {
  if (chosen == "sops" || secret["sops"]) return "sops";
  const bool is_filled_in = secret.annotation("avp.kubernetes.io/path") || has_vault_path(secret["data"]) ||
                            has_vault_path(secret["stringData"]);
  return is_filled_in ? "avp" : "";
}

void report_at(const Node& place, const ArgoCdFolder::Applier& applier, std::string_view form, Report& report) {
  const Node plugin = applier.source->node["plugin"];
  const std::string_view name = plugin["name"].text();
  const bool has_other = name.starts_with(kPluginPrefix) && name.substr(kPluginPrefix.size()) != form;
  if (plugin && !has_other) return;
  Finding& finding =
      has_other ? report.at(place, "`{}` completes the credentials with the plugin `{}`, but their form is `{}`",
                            applier.file(), name, form)
                : report.at(place, "`{}` applies credentials of the form `{}` without the plugin that completes them",
                            applier.file(), form);
  if (form == "avp") finding.note("Argo CD then applies the placeholders as the credentials");
  else finding.note("Argo CD then applies the encrypted values, or rejects the Secret because of its field `sops`");
  if (applier.is_set())
    finding.help(
        "run `capwright argocd applicationset > {}`, and install the plugin that `capwright argocd plugin --tree "
        "--form {}` prints",
        applier.file(), form);
  else
    finding.help(
        "set `plugin: {{name: capwright-{0}}}` in its source, and install the plugin that `capwright argocd plugin "
        "--tree --form {0}` prints",
        form);
}

void check(const Cluster& cluster, Report& report) {
  const Context& context = cluster.context();
  const Objects secrets = cluster.of_kind("Secret");
  if (context.argocd == nullptr || cluster.name().empty() || secrets.empty()) return;
  const bool has_forms = cluster.compiled() != nullptr && !cluster.compiled()->secret_form.plain_folder;
  const Node chosen = has_forms ? cluster.values()["secrets.form"] : Node();
  for (const Object* secret : secrets) {
    const std::string_view form = form_of(*secret, chosen.text());
    if (form.empty()) continue;
    const Node place = form == chosen.text() ? chosen : secret->place();
    for (const auto& applier :
         context.argocd->appliers_of(fmt::format("{}clusters/{}", context.tree_in_git, cluster.name())))
      report_at(place, applier, form, report);
    return;  // all Secrets of a cluster have one form
  }
}

}  // namespace

CW_LINT_RULE(credential_plugin){
    .code = "CAP823",
    .name = "credential-plugin",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports credentials of the form `avp` or `sops` that an Application or ApplicationSet in the folder `argocd/` applies without
[the plugin that completes them](argocd.md#complete-credentials-of-the-forms-avp-and-sops).

## Why is this bad?

Argo CD applies the Secrets as they are in Git. The controllers of a running cluster then lose their credential: it consists of
placeholders or encrypted text. The ApplicationSet that `capwright argocd applicationset` printed for another form has no plugin, and a
change of `secrets.form` doesn't change it.

The rule reads the folder `argocd/` beside `capwright.yaml`. It accepts any plugin whose name doesn't begin with `capwright-`.

## Example

```yaml file=argocd/clusters.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators: [{git: {directories: [{path: clusters/*}]}}]
  template:
    spec:
      source: {path: "{{ .path.path }}"}
```
```yaml file=clusters/a/secret.yaml
apiVersion: v1
kind: Secret
metadata:
  name: a-cloud-config   # error: [credential-plugin] "of the form `avp` without the plugin"
  annotations: {avp.kubernetes.io/path: secret/data/a}
stringData: {token: <token>}
```

## Use instead

```yaml file=argocd/clusters.yaml
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: clusters}
spec:
  generators: [{git: {directories: [{path: clusters/*}]}}]
  template:
    spec:
      source: {path: "{{ .path.path }}", plugin: {name: capwright-avp}}
```
```yaml file=clusters/a/secret.yaml
apiVersion: v1
kind: Secret
metadata:
  name: a-cloud-config
  annotations: {avp.kubernetes.io/path: secret/data/a}
stringData: {token: <token>}
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::credential_plugin
