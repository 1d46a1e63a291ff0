// CAP707: keys and tokens outside of a Secret.
#include "lint/engine/rule.h"
#include "lint/facts/loose_credentials.h"

namespace capwright::lint::rules::key_material_outside_secret {
namespace {

void report_secret(const LooseSecret& secret, Report& report) {
  if (secret.is_file) return;
  const auto& [node, key, what, is_file] = secret;
  const std::string named = key.empty() ? "this item" : fmt::format("`{}`", key);
  Finding& finding = what.empty() ? report.at(node, "{} looks like a secret", named).redact()
                                  : report.at(node, "{} holds {}", named, what).redact();
  if (what.empty()) finding.note("its name suggests a secret, and its text looks random");
  else finding.note("Git's history keeps it: replace the credential, too");
  finding.help("move it to a Secret that isn't in plain text, and refer to that here");
}

void check_object(const Object& object, Report& report) {
  for (const LooseSecret& secret : loose_secrets(object)) report_secret(secret, report);
}

void check_others(const Cluster& cluster, Report& report) {
  for (const LooseSecret& secret : loose_secrets_outside_objects(cluster)) report_secret(secret, report);
}

}  // namespace

CW_LINT_RULE(key_material_outside_secret){
    .code = "CAP707",
    .name = "key-material-outside-secret",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a private key, token or random password outside a Secret, in a manifest or chart values.

## Why is this bad?

Every user with read access to the repository has it. The rule recognizes private keys, age keys, AWS access keys, tokens of
GitHub, GitLab, Slack, Vault and others, service account tokens, kubeadm bootstrap tokens, kubeconfigs and URLs with a
password or token, and random text in fields and variables named `password`, `clientSecret`, `apiKey` and similar. It ignores
public keys, certificates, digests, names of Secrets and references (`${TOKEN}`, `{{ .token }}`, `<token>`). The value is
never shown.

## Example

```yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: app}
data:
  # error: [key-material-outside-secret] "`id_rsa` holds a private key"
  id_rsa: |
    -----BEGIN OPENSSH PRIVATE KEY-----
    AAAA
    -----END OPENSSH PRIVATE KEY-----
```

## Use instead

```yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: app}
data:
  access_key: AKIAIOSFODNN7EXAMPLE
  url: postgres://app:${PASSWORD}@db.example.com/app
  page: https://example.com/login?token=${TOKEN}&key=1
  token: no.bootstrap-token
  ca.crt: |
    -----BEGIN CERTIFICATE-----
    MIIB
    -----END CERTIFICATE-----
```
)md",
    .check_object = check_object,
    .check_cluster = check_others,
};

}  // namespace capwright::lint::rules::key_material_outside_secret
