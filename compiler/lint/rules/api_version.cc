// CAP231: API versions that the management cluster doesn't serve, or will stop serving.
#include <algorithm>

#include "crd/registry.h"
#include "diag/suggest.h"
#include "lint/engine/rule.h"

namespace capwright::lint::rules::api_version {
namespace {

using Versions = std::span<const crd::KindVersion>;

// The served versions, the stored one first.
std::vector<std::string> served(Versions versions) {
  std::vector<std::string> names;
  for (const crd::KindVersion& version : versions) {
    if (version.served && !version.deprecated)
      names.insert(version.storage ? names.begin() : names.end(), version.api_version());
  }
  return names;
}

void say_what_to_write(Finding& finding, Versions versions) {
  const std::vector<std::string> names = served(versions);
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (names.empty()) finding.help("all its versions are deprecated: use another kind");
  else finding.help("write {}", list_names(views));
}

void check(const Object& object, Report& report) {
  const Versions versions = object.known_versions();
  if (versions.empty() || object.api_version().empty()) return;
  const auto known = std::find_if(versions.begin(), versions.end(),
                                  [&](const crd::KindVersion& each) { return each.version == object.version(); });
  const std::string_view release = versions.front().release;
  if (known == versions.end() || !known->served) {
    say_what_to_write(
        report.at(object["apiVersion"], "{} of {} is not served by {}", object.version(), object.kind(), release),
        versions);
  } else if (known->deprecated) {
    Finding& finding =
        report.at(object["apiVersion"], "{} of {} is deprecated in {}", object.version(), object.kind(), release);
    say_what_to_write(finding, versions);
    finding.as(Severity::Warning);
  }
}

}  // namespace

CW_LINT_RULE(api_version){
    .code = "CAP231",
    .name = "api-version",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an API version that the targeted release of the provider doesn't serve, or has deprecated.

## Why is this bad?

The API server rejects an object in a version that it doesn't serve. A deprecated version is a warning: it still works, and
one of the provider's next releases removes it.

## Example

```yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1alpha7   # error: [api-version] "v1alpha7 of OpenStackCluster is not served"
kind: OpenStackCluster
```

## Use instead

```yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
---
apiVersion: example.com/v1
kind: Unknown
```

## Options

`targets` in `capwright.yaml`: the releases. `capwright schema list` shows them.
)md",
    .instead_of_server = true,
    .check_object = check,
};

}  // namespace capwright::lint::rules::api_version
