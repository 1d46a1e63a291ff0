// CAP704: plain-text values in files that sops has encrypted.
#include "lint/engine/rule.h"
#include "lint/facts/credentials.h"

namespace capwright::lint::rules::sops_readable_value {
namespace {

void check(const Object& object, Report& report) {
  const Node sops = object["sops"];
  if (!sops.is(Kind::Map)) return;
  for (const auto& [key, node] : sops.members()) {
    if (key == "mac" && !node.text().starts_with("ENC["))
      report.at(node, "`sops.mac` isn't a valid MAC").help("encrypt the file again from its plain text");
  }
  if (!sops["mac"])
    report.at(sops, "the metadata of sops has no `mac`")
        .note("sops can't verify the values, so it doesn't decrypt the file")
        .help("encrypt the file again from its plain text");
  else if (!sops["lastmodified"])
    report.at(sops, "the metadata of sops has no `lastmodified`")
        .note("sops can't verify the `mac` without it, so it doesn't decrypt the file")
        .help("encrypt the file again from its plain text");
  for (const SecretLeaf& leaf : secret_leaves(object)) {
    const bool readable = leaf.exposure != Exposure::Encrypted && !leaf.node.text().empty();
    if (!readable || is_tainted(leaf.node)) continue;
    report.at(leaf.node, "`{}` is in plain text in a file that sops encrypted", leaf.key)
        .redact()
        .note("it was added with an editor, or `.sops.yaml` excludes it")
        .help("add it with `sops edit`, and let `encrypted_regex` cover `data` and `stringData`");
  }
}

}  // namespace

CW_LINT_RULE(sops_readable_value){
    .code = "CAP704",
    .name = "sops-readable-value",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports readable values in a file that sops encrypted, and missing metadata of sops.

## Why is this bad?

A key was added with a plain editor, or a merge conflict was resolved by hand. The new value is in plain text for every user
with read access to the repository. sops rejects the whole file, since its `mac` covers all values, so Argo CD can't sync the
Secret. Every value in `data` and `stringData` must be `ENC[…]`; empty values stay empty.

## Example

```yaml
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData:
  user: ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]
  password: correct-horse-battery   # error: [sops-readable-value] "`password` is in plain text in a file that sops encrypted"
sops:
  mac: ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]
  lastmodified: "2026-08-22T00:00:00Z"
```

## Use instead

```yaml
apiVersion: v1
kind: Secret
metadata: {name: db}
stringData:
  password: ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]
  empty: ""
sops:
  mac: ENC[AES256_GCM,data:AAAA,iv:AAAA,tag:AAAA,type:str]
  lastmodified: "2026-08-22T00:00:00Z"
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::sops_readable_value
