// CAP231: API versions that the management cluster doesn't serve, or will stop serving.
#include <algorithm>

#include "crd/registry.h"
#include "diag/suggest.h"
#include "lint/engine/rule.h"
#include "migrate/convert.h"

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

constexpr std::size_t kMostFields = 12;  // named with one object

Node node_at(Node node, const migrate::FieldPath& path) {
  for (const std::string& step : path)
    node = migrate::is_item(step) ? node.item(migrate::item_number(step)) : node.member(step);
  return node;
}

// Names the fields that have another form in the stored version. Returns whether a table leads to it.
bool say_what_moves(const Object& object, Finding& finding, Versions versions) {
  const auto stored = std::find_if(versions.begin(), versions.end(), [](const auto& each) { return each.storage; });
  const migrate::Conversion* first = migrate::conversion_from(object.group(), object.version(), object.kind());
  if (stored == versions.end() || first == nullptr) return false;
  if (!first->until.empty()) finding.note("{} stops serving it", first->until);
  Arena arena;
  migrate::Goal goal;
  goal.version = stored->version;
  const migrate::Converted converted = migrate::convert(object.root().value(), goal, arena);
  std::size_t told = 0;
  for (const auto* steps : {&converted.steps, &converted.blocked}) {
    for (const migrate::Step& step : *steps) {
      const Node field = node_at(object.root(), step.from);
      if (field && told++ < kMostFields) finding.also(field, step.effect());
    }
  }
  return true;
}

void say_what_to_write(const Object& object, Finding& finding, Versions versions) {
  const std::vector<std::string> names = served(versions);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const bool can_migrate = say_what_moves(object, finding, versions);
  if (names.empty()) finding.help("all its versions are deprecated: use another kind");
  else finding.help("{} {}", can_migrate ? "run `capwright migrate`, or write" : "write", list_names(views));
}

void check(const Object& object, Report& report) {
  const Versions versions = object.known_versions();
  if (versions.empty() || object.api_version().empty()) return;
  const auto known = std::find_if(versions.begin(), versions.end(),
                                  [&](const crd::KindVersion& each) { return each.version == object.version(); });
  const std::string_view release = versions.front().release;
  if (known == versions.end() || !known->served) {
    Finding& finding =
        report.at(object["apiVersion"], "{} of {} is not served by {}", object.version(), object.kind(), release);
    say_what_to_write(object, finding, versions);
  } else if (known->deprecated) {
    Finding& finding =
        report.at(object["apiVersion"], "{} of {} is deprecated in {}", object.version(), object.kind(), release);
    say_what_to_write(object, finding, versions);
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

The finding names the fields that have another form in the newer version. [`capwright migrate`](migrate.md) rewrites them.

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
