// CAP914: credentials that are fetched from another location.
#include <algorithm>

#include "lint/engine/change_rule.h"

namespace capwright::lint::rules::credential_store {
namespace {

// The location of one entry of the Secret: `path` or `path#property`.
std::string entry_of(const Node& item) {
  const Node property = item["remoteRef.property"];
  return fmt::format("{}{}{}", item["remoteRef.key"].text(), property ? "#" : "", property.text());
}

std::string store_of(const Object& secret) {
  return fmt::format("{} `{}`", secret["spec.secretStoreRef.kind"].text(), secret["spec.secretStoreRef.name"].text());
}

const std::string_view kNote =
    "the Secret keeps its content until the new entry can be read, and then takes the entry's content";
const std::string_view kHelp =
    "write the credential there first; after the sync, check the condition `Ready` of the ExternalSecret";

void compare(const Object& was, const Object& is, Report& report) {
  if (store_of(was) != store_of(is)) {
    report.at(is["spec.secretStoreRef.name"], "the credential comes from {} instead of {}", store_of(is), store_of(was))
        .note("{}", kNote)
        .help("{}", kHelp);
    return;
  }
  for (const Node item : is["spec.data"].items()) {
    for (const Node old : was["spec.data"].items()) {
      if (old["secretKey"].text() != item["secretKey"].text() || entry_of(old) == entry_of(item)) continue;
      report
          .at(item["remoteRef.key"], "the credential comes from the entry `{}` instead of `{}`", entry_of(item),
              entry_of(old))
          .note("{}", kNote)
          .help("{}", kHelp);
      return;
    }
  }
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr || change.after == nullptr) return;
  for (const Object* is : change.after->of_kind("ExternalSecret")) {
    const Object* was = change.old_of(*is);
    if (was != nullptr) compare(*was, *is, report);
  }
}

}  // namespace

CW_LINT_RULE(credential_store){
    .code = "CAP914",
    .name = "credential-store",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a credential that comes from another store, or from another entry of the store.

## Why is this bad?

External Secrets keeps the Secret while the new store doesn't answer. Then the Secret gets the new entry's content: an
outdated password locks the provider out of its cloud. Write the credential to the new entry before the merge, and follow
[docs/secrets.md](../docs/secrets.md#change-the-form-or-the-store). `capwright plan` checks the change against its base.

## Example

```yaml file=before/cluster.yaml
kind: ExternalSecret
metadata: {name: cloud-config, namespace: prod}
spec: {secretStoreRef: {kind: ClusterSecretStore, name: vault}}
```
```yaml file=after/cluster.yaml
kind: ExternalSecret
metadata: {name: cloud-config, namespace: prod}
spec:
  secretStoreRef:
    kind: ClusterSecretStore
    name: openbao   # warning: [credential-store] "comes from ClusterSecretStore `openbao` instead of ClusterSecretStore `vault`"
```

## Use instead

```yaml file=before/cluster.yaml
kind: ExternalSecret
metadata: {name: cloud-config, namespace: prod}
spec: {refreshInterval: 1h, secretStoreRef: {kind: ClusterSecretStore, name: vault}}
```
```yaml file=after/cluster.yaml
kind: ExternalSecret
metadata: {name: cloud-config, namespace: prod}
spec: {refreshInterval: 30m, secretStoreRef: {kind: ClusterSecretStore, name: vault}}
```
)md",
};

CW_CHANGE_RULE(credential_store, check);

}  // namespace capwright::lint::rules::credential_store
