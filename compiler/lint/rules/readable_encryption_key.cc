// CAP708: keys of encryption at rest that Git shows.
#include "lint/engine/rule.h"
#include "secrets/placeholders.h"

namespace capwright::lint::rules::readable_encryption_key {
namespace {

void check_provider(const Node& file, const Node& provider, Report& report) {
  for (const std::string_view name : {"aescbc", "aesgcm", "secretbox"}) {
    for (const Node key : provider.member(name)["keys"].items()) {
      const Node secret = key["secret"];
      const std::string_view text = secret.text();
      if (text.empty() || secrets::is_placeholder(text)) continue;
      report.at(secret, "the key `{}` of encryption at rest is readable", key["name"].text())
          .also(file["path"], "it is in this file")
          .note("with the repository and a backup of etcd, all Secrets of the cluster can be read")
          .help("replace the key, and put the file into a Secret that `contentFrom.secret` names")
          .redact();
    }
  }
}

void check_files(const Node& files, Report& report) {
  for (const Node file : files.items()) {
    const Node content = file["content"];
    const bool is_encoded = file["encoding"].text() == "base64";
    const Node configuration = is_encoded ? content.decoded_yaml() : content.yaml();
    if (configuration["kind"].text() != "EncryptionConfiguration") continue;
    for (const Node entry : configuration["resources"].items()) {
      for (const Node provider : entry["providers"].items()) check_provider(file, provider, report);
    }
  }
}

void check(const Object& object, Report& report) {
  check_files(object["spec.kubeadmConfigSpec.files"], report);
  check_files(object["spec.kthreesConfigSpec.files"], report);
  check_files(object["spec.template.spec.files"], report);
  check_files(object["spec.files"], report);
}

}  // namespace

CW_LINT_RULE(readable_encryption_key){
    .code = "CAP708",
    .name = "readable-encryption-key",
    .severity = Severity::Error,
    .since = "0.2",
    .kinds =
        "KubeadmControlPlane KubeadmConfig KubeadmConfigTemplate RKE2ControlPlane RKE2ConfigTemplate "
        "KThreesControlPlane KThreesConfigTemplate",
    .docs = R"md(
## What it does

Reports an EncryptionConfiguration with its keys in a `content` of `files`.

## Why is this bad?

Encryption at rest protects Secrets in etcd and its backups. With the key in Git, and in the control plane's manifest in the
management cluster, a reader of either can decrypt a backup. Git's history keeps the key, so replace it. With the
built-in template sets, `api_server.encryption_at_rest` delivers keys in the form that `secrets.form` selects
([docs/machines.md](../docs/machines.md#encryption-at-rest)).

## Example

```yaml
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  kubeadmConfigSpec:
    files:
      - path: /etc/kubernetes/encryption/config.yaml
        content: |
          apiVersion: apiserver.config.k8s.io/v1
          kind: EncryptionConfiguration
          resources:
            - resources: [secrets]
              providers:
                # error: [readable-encryption-key] "the key `key1` of encryption at rest is readable"
                - secretbox: {keys: [{name: key1, secret: c2VjcmV0IGlzIHNlY3VyZSwgb3IgaXMgaXQ/Cg==}]}
                - identity: {}
```

## Use instead

```yaml
kind: KubeadmControlPlane
metadata: {name: prod}
spec:
  kubeadmConfigSpec:
    files:
      - path: /etc/kubernetes/encryption/config.yaml
        contentFrom: {secret: {name: prod-encryption, key: config.yaml}}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::readable_encryption_key
