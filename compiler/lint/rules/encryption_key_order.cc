// CAP919: changes of encryption at rest that API servers can't read during or after the rollout.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "lint/engine/change_rule.h"
#include "lint/facts/flags.h"

namespace capwright::lint::rules::encryption_key_order {
namespace {

// What one machine of the control plane encrypts with and can decrypt: `secretbox key1`, `kms vault`, `identity`.
struct Encryption {
  Node place;
  std::vector<std::string> readable;  // the first one encrypts
};

const std::string kIdentity = "identity";

Encryption of_configuration(const Node& file) {
  Encryption found{file["content"], {}};
  const Node first = file["content"].yaml()["resources"].item(0);
  for (const Node provider : first["providers"].items()) {
    for (const auto& [name, settings] : provider.members()) {
      if (name == "kms") found.readable.push_back(fmt::format("kms {}", settings["name"].text()));
      if (name == "identity") found.readable.push_back(kIdentity);
      for (const Node key : settings["keys"].items())
        found.readable.push_back(fmt::format("{} {}", name, key["name"].text()));
    }
  }
  return found;
}

// The built-in template sets name the entry of the Secret after its content: `secretbox-key2-key1.yaml`.
Encryption of_entry(const Node& entry) {
  Encryption found{entry, {}};
  std::string_view rest = entry.text();
  if (!rest.ends_with(".yaml")) return found;
  rest.remove_suffix(5);
  const std::string_view provider = rest.substr(0, rest.find('-'));
  if (provider != "secretbox" && provider != "aescbc") return found;
  bool is_first = false, is_rejected = false;
  while (rest.find('-') != std::string_view::npos) {
    rest.remove_prefix(rest.find('-') + 1);
    const std::string_view part = rest.substr(0, rest.find('-'));
    is_first = is_first || part == "write";
    is_rejected = is_rejected || part == "reject";
    if (part.starts_with("key")) found.readable.push_back(fmt::format("{} {}", provider, part));
  }
  if (!is_rejected) found.readable.insert(is_first ? found.readable.begin() : found.readable.end(), kIdentity);
  return found;
}

// Without encryption, everything is readable as it is; nothing if the configuration can't be read.
std::optional<Encryption> encryption_of(const Object& control_plane) {
  const Node spec = control_plane["spec.kubeadmConfigSpec"];
  const Node flags = spec["clusterConfiguration.apiServer.extraArgs"];
  const std::string_view path = flag_of(flags, "encryption-provider-config").text;
  if (path.empty()) return Encryption{flags, {kIdentity}};
  for (const Node file : spec["files"].items()) {
    if (file["path"].text() != path) continue;
    const Node entry = file["contentFrom.secret.key"];
    Encryption found = entry ? of_entry(entry) : of_configuration(file);
    if (!found.readable.empty()) return found;
  }
  return std::nullopt;
}

bool can_read(const Encryption& encryption, const std::string& key) {
  return std::find(encryption.readable.begin(), encryption.readable.end(), key) != encryption.readable.end();
}

void compare(const Encryption& was, const Encryption& is, Report& report) {
  const std::string &old_key = was.readable.front(), &key = is.readable.front();
  if (!can_read(was, key)) {
    report.at(is.place, "the first new API server encrypts with `{}`, which the others can't decrypt", key)
        .note("until the last machine is replaced, their requests for these objects fail")
        .help("{}", old_key == kIdentity
                        ? "first render `unencrypted: write` and roll out, then remove it"
                        : "first add the key as the last of `key_names` and roll out, then move it to the front");
  } else if (!can_read(is, old_key)) {
    report.at(is.place, "new API servers can't decrypt what is encrypted with `{}`", old_key)
        .note("objects that were written with it are lost for them, and the namespaces of those can't be deleted")
        .help("{}", old_key == kIdentity ? "keep `unencrypted: read` until all objects were written again"
                                         : "keep the key as the last one until all objects were written again");
  }
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr || change.after == nullptr) return;
  for (const Object* is : change.after->of_kind("KubeadmControlPlane")) {
    const Object* was = change.old_of(*is);
    if (was == nullptr) continue;
    const std::optional<Encryption> old = encryption_of(*was), now = encryption_of(*is);
    if (old && now) compare(*old, *now, report);
  }
}

}  // namespace

CW_LINT_RULE(encryption_key_order){
    .code = "CAP919",
    .name = "encryption-key-order",
    .severity = Severity::Error,
    .since = "0.2",
    .docs = R"md(
## What it does

Reports a change of encryption at rest after which some API servers can't decrypt objects that others encrypt.

## Why is this bad?

The machines of a control plane are replaced one by one. In between, API servers with the old and the new configuration share
one etcd. A key must be known to all of them before one encrypts with it, and must stay until no object is encrypted with it.
[docs/machines.md](../docs/machines.md#encryption-at-rest) lists the steps. `capwright plan` checks the change against its base.

The rule reads a configuration in `content`, and entries of Secrets that the built-in template sets name:
`secretbox-key2-key1.yaml`.

## Example

```yaml file=before/cluster.yaml
kind: KubeadmControlPlane
metadata: {name: prod, namespace: prod}
spec:
  kubeadmConfigSpec:
    clusterConfiguration: {apiServer: {extraArgs: [{name: encryption-provider-config, value: /etc/encryption.yaml}]}}
    files: [{path: /etc/encryption.yaml, contentFrom: {secret: {name: prod-keys, key: secretbox-key1.yaml}}}]
```
```yaml file=after/cluster.yaml
kind: KubeadmControlPlane
metadata: {name: prod, namespace: prod}
spec:
  kubeadmConfigSpec:
    clusterConfiguration: {apiServer: {extraArgs: [{name: encryption-provider-config, value: /etc/encryption.yaml}]}}
    # error: [encryption-key-order] "encrypts with `secretbox key2`, which the others can't decrypt"
    files: [{path: /etc/encryption.yaml, contentFrom: {secret: {name: prod-keys, key: secretbox-key2-key1.yaml}}}]
```

## Use instead

```yaml file=before/cluster.yaml
kind: KubeadmControlPlane
metadata: {name: prod, namespace: prod}
spec:
  kubeadmConfigSpec:
    clusterConfiguration: {apiServer: {extraArgs: [{name: encryption-provider-config, value: /etc/encryption.yaml}]}}
    files: [{path: /etc/encryption.yaml, contentFrom: {secret: {name: prod-keys, key: secretbox-key1.yaml}}}]
```
```yaml file=after/cluster.yaml
kind: KubeadmControlPlane
metadata: {name: prod, namespace: prod}
spec:
  kubeadmConfigSpec:
    clusterConfiguration: {apiServer: {extraArgs: [{name: encryption-provider-config, value: /etc/encryption.yaml}]}}
    files: [{path: /etc/encryption.yaml, contentFrom: {secret: {name: prod-keys, key: secretbox-key1-key2.yaml}}}]
```
)md",
};

CW_CHANGE_RULE(encryption_key_order, check);

}  // namespace capwright::lint::rules::encryption_key_order
