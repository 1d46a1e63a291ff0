// CAP114: secret values in plain text in files of the repository.
#include <algorithm>

#include "lint/engine/rule.h"
#include "pipeline/template_set.h"

namespace capwright::lint::rules::plain_secret_value {
namespace {

// Files that belong to the repository: the cluster's own values, and layers. Files from the command line or standard
// input may be anywhere.
bool is_of_repository(std::string_view path, const Cluster& cluster) {
  return path == cluster.compiled()->values_path || path.starts_with("layers/") ||
         path.find("/layers/") != std::string_view::npos;
}

// A value that sops has decrypted keeps its place in the encrypted file.
bool is_encrypted(std::string_view written) {
  written.remove_prefix(std::min(written.find_first_not_of("'\""), written.size()));
  return written.starts_with("ENC[");
}

void check_value(const Node& node, std::string_view key, const Cluster& cluster, Report& report) {
  if (!node.value().tainted() || (node.is(Kind::String) && node.text().empty())) return;
  const Span span = node.span();
  if (!span.known() || !is_of_repository(cluster.sources().path(span.file), cluster)) return;
  if (is_encrypted(cluster.sources().text(span))) return;
  Finding& finding = report.at_source(cluster, span, "the secret `{}` is in plain text in the repository", key)
                         .redact()
                         .note("Git's history keeps it: replace the credential, too");
  const TemplateSet* set = cluster.templates();
  const bool has_forms = set == nullptr || !set->plain;
  if (has_forms)
    finding.help("encrypt the file with sops, or fetch the value from a store with `secrets: {{form: external}}`");
  else
    finding.help(
        "remove it, and render an ExternalSecret or the name of a Secret (docs/own-templates.md); or encrypt the file "
        "with sops");
}

void check_below(const Node& node, std::string_view key, const Cluster& cluster, Report& report) {
  if (node.is(Kind::Map)) {
    for (const auto& [name, value] : node.members()) check_below(value, name, cluster, report);
  } else if (node.is(Kind::List)) {
    for (const Node item : node.items()) check_below(item, key, cluster, report);
  } else {
    check_value(node, key, cluster, report);
  }
}

void check(const Cluster& cluster, Report& report) {
  if (cluster.compiled() != nullptr) check_below(cluster.values(), {}, cluster, report);
}

}  // namespace

CW_LINT_RULE(plain_secret_value){
    .code = "CAP114",
    .name = "plain-secret-value",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a value in plain text that the schema declares as secret.

## Why is this bad?

Every user with read access to the repository can read it, whatever form it is rendered in later. Encrypt the values file
with sops, which capwright reads, or leave the secret out: with `secrets.form: external`, the cluster fetches it from a
store. [Your own templates](own-templates.md#secrets) have no forms: they render an ExternalSecret, or the name of a Secret.

Values that are given by `--values` or on standard input aren't checked.

## Example

```yaml file=values.yaml
cluster_name: a
token: correct-horse-battery   # error: [plain-secret-value] "the secret `token`"
```
```json file=schema.json
{"properties": {"cluster_name": {"type": "string"}, "token": {"type": "string", "x-secret": true}}}
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/secret.yaml
apiVersion: v1
kind: Secret
metadata: {name: app}
stringData:
  token: "{{ token }}"
```

## Use instead

```yaml file=values.yaml
cluster_name: a
token: ""
```
```json file=schema.json
{"properties": {"cluster_name": {"type": "string"}, "token": {"type": "string", "x-secret": true}}}
```
```jinja file=main.j2
# FILE: clusters/{{ cluster_name }}/secret.yaml
apiVersion: v1
kind: Secret
metadata: {name: app}
stringData:
  token: "{{ token }}"
```
)md",
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::plain_secret_value
