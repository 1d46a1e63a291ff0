// CAP701: Secrets that are readable in the repository.
#include "lint/engine/rule.h"
#include "lint/facts/credentials.h"
#include "pipeline/cluster.h"
#include "text/base64.h"

namespace capwright::lint::rules::plain_secret {
namespace {

std::string others(std::size_t count) {
  if (count == 0) return "";
  return fmt::format(" and {} more {}", count, count == 1 ? "value" : "values");
}

void report_readable(const std::vector<SecretLeaf>& readable, Report& report) {
  const SecretLeaf& first = readable.front();
  Finding& finding =
      first.nested
          ? report.at(first.node, "the Secret inside `{}` is readable{}", first.key, others(readable.size() - 1))
          : report.at(first.node, "`{}` is a readable secret{}", first.key, others(readable.size() - 1));
  finding.redact();
  for (std::size_t i = 1; i < readable.size(); ++i) finding.redact_too(readable[i].node);
  if (first.base64 && !first.nested && from_base64(first.node.text()))
    finding.note("Base64 is an encoding, not encryption");
  finding.note("Git's history keeps it: replace the credential, too")
      .help("commit an ExternalSecret or a SealedSecret in its place, or encrypt the file with sops");
}

// Reports the marked values at and below `path` that are placeholders and occur in `text`. Returns whether there was
// one.
bool report_unset_values(const Cluster& cluster, const Value& value, const std::string& path, std::string_view text,
                         Report& report) {
  bool found = false;
  if (value.is(Kind::Map)) {
    for (const Entry& entry : value.entries()) {
      const std::string below = path + (path.empty() ? "" : ".") + std::string(entry.key.text());
      found |= report_unset_values(cluster, entry.value, below, text, report);
    }
  } else if (value.is(Kind::String) && value.tainted() && secrets::exposure_of({}, value.text()) == Exposure::Unset &&
             text.find(value.text()) != std::string_view::npos) {
    report.at_source(cluster, cluster.makers().origins[value.origin()].span, "`{}` looks like a placeholder", path)
        .redact()
        .help("set the secret, or choose a `secrets.form` that needs no value");
    found = true;
  }
  return found;
}

// Reports a placeholder from a marked value once, at the value, however many manifests contain it.
bool is_unset_value(const Object& object, const SecretLeaf& leaf, Report& report) {
  const CompiledCluster* compiled = object.cluster().compiled();
  return compiled != nullptr && is_tainted(leaf.node) &&
         report_unset_values(object.cluster(), compiled->values, {}, leaf.node.text(), report);
}

void check(const Object& object, Report& report) {
  const bool encrypted = is_sops(object);  // CAP704 reports readable values in it
  std::vector<SecretLeaf> readable;
  for (const SecretLeaf& leaf : secret_leaves(object)) {
    if (leaf.exposure == Exposure::Unset && !encrypted && !is_unset_value(object, leaf, report)) {
      report.at(leaf.node, "`{}` isn't filled in", leaf.key)
          .redact()
          .help("refer to the value's store, for example with an ExternalSecret, and keep the value out of Git");
    }
    // The compiler checks where marked values may be rendered.
    if (leaf.exposure == Exposure::Readable && !encrypted && !is_tainted(leaf.node)) readable.push_back(leaf);
  }
  if (!readable.empty()) report_readable(readable, report);
}

}  // namespace

CW_LINT_RULE(plain_secret){
    .code = "CAP701",
    .name = "plain-secret",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "Secret ConfigMap ExternalSecret",
    .docs = R"md(
## What it does

Reports a Secret in plain text in the cluster tree.

## Why is this bad?

Every user with read access to the repository, a clone or its history has the credential. Values in `data` are Base64, which
isn't encryption. Deleting the file later doesn't help, since the history keeps it.

The rule checks Secrets, manifests that a ClusterResourceSet carries, and the templates of ExternalSecrets. It accepts
references that are filled in later (`<password>`, `{{ .password }}`, `app:${PASSWORD}@db`), values that sops encrypted,
certificates, and keys that aren't secret, such as `url` or `AZURE_TENANT_ID`. A placeholder such as `CHANGEME` is reported,
since nothing replaces it. Values are never shown.

## Example

```yaml
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData:
  username: app
  password: correct-horse-battery   # error: [plain-secret] "`password` is a readable secret"
```

## Use instead

```yaml
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: cloud}
spec:
  target:
    template:
      data:
        type: git
        admin: app
        password: "{{ .password }}"
        cloud.conf: |
          [Global]
          application-credential-secret="{{ .secret }}"
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::plain_secret
