// CAP908: objects that change to an older version of their kind.
#include <charconv>
#include <optional>
#include <tuple>

#include "lint/engine/change_rule.h"

namespace capwright::lint::rules::api_version_back {
namespace {

// Ordered as Kubernetes prefers versions (apimachinery's CompareKubeAwareVersionStrings): v2, v1, v1beta2, v1beta1,
// v1alpha1.
struct ApiVersion {
  int major = 0;
  int maturity = 2;  // alpha, beta, neither
  int minor = 0;     // of an alpha or beta

  friend auto operator<=>(const ApiVersion& a, const ApiVersion& b) {
    return std::tie(a.maturity, a.major, a.minor) <=> std::tie(b.maturity, b.major, b.minor);
  }
};

bool take_number(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 1) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<ApiVersion> api_version(std::string_view text) {
  ApiVersion version;
  if (!text.starts_with('v')) return std::nullopt;
  text.remove_prefix(1);
  if (!take_number(text, version.major)) return std::nullopt;
  if (text.empty()) return version;
  version.maturity = text.starts_with("beta") ? 1 : 0;
  if (!text.starts_with("beta") && !text.starts_with("alpha")) return std::nullopt;
  text.remove_prefix(version.maturity == 1 ? 4 : 5);
  if (!take_number(text, version.minor) || !text.empty()) return std::nullopt;
  return version;
}

void check(const ClusterChange& change, Report& report) {
  if (change.before == nullptr || change.after == nullptr) return;
  for (const Object* object : change.after->objects()) {
    const Object* old = change.old_of(*object);
    if (old == nullptr || old->group() != object->group() || old->version() == object->version()) continue;
    const auto was = api_version(old->version()), is = api_version(object->version());
    if (!was || !is || *is >= *was) continue;
    report.at((*object)["apiVersion"], "{} goes back from {} to {}", object->kind(), old->version(), object->version())
        .note("fields that only {} has lose their owner, and {} is removed first", old->version(), object->version())
        .help("keep `{}`", old->api_version());
  }
}

}  // namespace

CW_LINT_RULE(api_version_back){
    .code = "CAP908",
    .name = "api-version-back",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports an object that changes to an older API version, such as from `v1beta2` to `v1beta1`.

## Why is this bad?

The API server converts between versions, but fields that only exist in the newer one get lost, and their ownership changes.
The older version is also removed first. Usually a merge brought an old file back. `capwright plan` checks the change against
its base.

## Example

```yaml file=before/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: prod}
```
```yaml file=after/cluster.yaml
apiVersion: cluster.x-k8s.io/v1beta1   # error: [api-version-back] "Cluster goes back from v1beta2 to v1beta1"
kind: Cluster
metadata: {name: prod}
```

## Use instead

```yaml file=before/cluster.yaml
apiVersion: example.com/v1beta2
kind: Widget
metadata: {name: prod}
```
```yaml file=after/cluster.yaml
apiVersion: example.com/v1
kind: Widget
metadata: {name: prod}
```
)md",
};

CW_CHANGE_RULE(api_version_back, check);

}  // namespace capwright::lint::rules::api_version_back
