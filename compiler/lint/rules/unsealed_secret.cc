// CAP705: SealedSecrets with unsealed values.
#include "lint/engine/rule.h"
#include "secrets/sealed_secret.h"

namespace capwright::lint::rules::unsealed_secret {
namespace {

constexpr std::string_view kPlaceholder = "PLACEHOLDER";

void check(const Object& sealed, Report& report) {
  const Node data = sealed["spec.encryptedData"];
  Node first;
  std::string_view first_key;
  std::size_t count = 0;
  bool placeholder = false;
  for (const auto& [key, value] : data.members()) {
    if (value.is(Kind::String) && secrets::sealed_size(value.text())) continue;
    if (count++ != 0) continue;
    first = value;
    first_key = key;
    placeholder = value.text().empty() || value.text().find(kPlaceholder) != std::string_view::npos;
  }
  // The compiler has reported the values that remain to be sealed.
  if (count == 0 || (placeholder && sealed.file().rendered != nullptr)) return;
  std::string others;
  if (count > 1) others = fmt::format(", nor {} {} more", count == 2 ? "is" : "are", count - 1);
  Finding& finding = placeholder ? report.at(first, "`{}` isn't sealed yet{}", first_key, others)
                                 : report.at(first, "`{}` isn't a ciphertext of a SealedSecret{}", first_key, others);
  if (!placeholder) finding.redact();
  finding.note("the controller can't decrypt it, so the Secret is never created")
      .help("seal it with `kubeseal` for the name and namespace of the SealedSecret");
}

}  // namespace

CW_LINT_RULE(unsealed_secret){
    .code = "CAP705",
    .name = "unsealed-secret",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds = "SealedSecret",
    .docs = R"md(
## What it does

Reports a value in a SealedSecret that isn't sealed.

## Why is this bad?

The value is a placeholder, a truncated ciphertext or the secret itself. The Sealed Secrets controller can't decrypt it, so
the Secret is never created, and machines wait for their credential. The error is only in the controller's log. capwright
renders placeholders if no certificate is configured; `kubeseal` replaces them.

A ciphertext is bound to the Secret's name and namespace. After a rename, seal all values again.

## Example

```yaml
kind: SealedSecret
metadata: {name: cloud}
spec:
  encryptedData:
    clouds.yaml: PLACEHOLDER-run-kubeseal   # error: [unsealed-secret] "`clouds.yaml` isn't sealed yet, nor is 1 more"
    cacert: PLACEHOLDER-run-kubeseal
```

## Use instead

```yaml
kind: SealedSecret
metadata: {name: cloud}
spec:
  encryptedData:
    token: AIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::unsealed_secret
