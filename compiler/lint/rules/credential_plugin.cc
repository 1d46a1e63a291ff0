// CAP823: Applications in the folder `argocd/` that apply credentials without the plugin that completes them.
#include "files/path_rules.h"
#include "lint/engine/rule.h"
#include "lint/facts/argocd_folder.h"
#include "lint/facts/credentials.h"
#include "lint/facts/plugin_sources.h"
#include "lint/facts/source_files.h"
#include "lint/model/repository_clusters.h"

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
        "run `capwright argocd applicationset > {}`, repeat edits of your own, and install the plugin that `capwright "
        "argocd plugin --tree "
        "--form {}` prints",
        applier.file(), form);
  else
    finding.help(
        "set `plugin: {{name: capwright-{0}}}` in its source, and install the plugin that `capwright argocd plugin "
        "--tree --form {0}` prints",
        form);
}

// Whether the source applies a file of the cluster; `path`: in Git, `folder`: that of the cluster. The patterns are
// for paths below that of the source.
bool reads(const ArgoCdFolder::Applier& applier, std::string_view path, std::string_view folder) {
  const ChartSource& source = *applier.source;
  const bool is_computed = applier.is_set() && is_generated(source.path);
  const auto file = path_below(path, is_computed ? folder : source.path);
  const bool is_deep = is_computed || source.node["directory.recurse"].is_true();
  return file && (is_deep || file->find('/') == std::string_view::npos) && lets_in(source, *file);
}

// Applications whose plugin renders the cluster's values, so that there is no file to decrypt.
void check_renderers(const Cluster& cluster, const Node& chosen, Report& report) {
  const Context& context = cluster.context();
  if (context.clusters == nullptr || chosen.text() != "sops") return;
  for (const auto& applier : context.argocd->appliers()) {
    if (applier.source->node["plugin.name"].text() != "capwright") continue;
    if (!renders_cluster(*applier.object, *applier.source, *context.clusters, cluster.compiled()->values_path))
      continue;
    Finding& finding = report.at(
        chosen, "`{}` renders credentials of the form `sops` with a plugin that can't decrypt them", applier.file());
    finding.note("the plugin reports an error instead of manifests");
    if (applier.is_set())
      finding.help(
          "commit the rendered tree and run `capwright argocd applicationset > {}`, or use the form `external`",
          applier.file());
    else
      finding.help("commit the rendered tree and apply its folder with `capwright-sops`, or use the form `external`");
    return;
  }
}

void check(const Cluster& cluster, Report& report) {
  const Context& context = cluster.context();
  const Objects secrets = cluster.of_kind("Secret");
  if (context.argocd == nullptr || cluster.name().empty()) return;
  const bool has_forms = cluster.compiled() != nullptr && !cluster.compiled()->secret_form.plain_folder;
  const Node chosen = has_forms ? cluster.values()["secrets.form"] : Node();
  check_renderers(cluster, chosen, report);
  const std::string own = fmt::format("clusters/{}/", cluster.name());
  const std::string folder = context.tree_in_git + own.substr(0, own.size() - 1);
  for (const auto& applier : context.argocd->appliers_of(folder)) {
    for (const Object* secret : secrets) {  // all of a cluster have one form
      const std::string_view form = form_of(*secret, chosen.text());
      const std::string& path = secret->file().path;
      const std::size_t at = path.find(own);
      const bool is_known = at != std::string::npos;
      if (form.empty() || (is_known && !reads(applier, context.tree_in_git + path.substr(at), folder))) continue;
      report_at(form == chosen.text() ? chosen : secret->place(), applier, form, report);
      break;
    }
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

The rule reads the folder `argocd/` beside `capwright.yaml`. It accepts any plugin whose name doesn't begin with `capwright-`. Sources
that don't read the files with the credentials, by `directory.include` for example, need no plugin.

Also reports the form `sops` of a cluster whose values [the plugin renders](argocd.md#the-plugin): it reports an error instead of
manifests.

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
