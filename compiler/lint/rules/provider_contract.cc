// CAP232: releases of providers that are incompatible with that of Cluster API.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

#include "lint/engine/fleet_keys.h"
#include "lint/engine/rule.h"
#include "lint/facts/catalogue.h"

namespace capwright::lint::rules::provider_contract {
namespace {

struct Minor {
  int major = 0, minor = 0;
  friend auto operator<=>(const Minor&, const Minor&) = default;
};

// `1.14`, `v1.14.2`.
std::optional<Minor> minor_in(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  Minor version;
  const char* const end = text.data() + text.size();
  const auto [dot, fault] = std::from_chars(text.data(), end, version.major);
  if (fault != std::errc() || dot == end || *dot != '.') return std::nullopt;
  const auto [rest, other_fault] = std::from_chars(dot + 1, end, version.minor);
  return other_fault == std::errc() ? std::optional(version) : std::nullopt;
}

std::string to_text(const Minor& version) { return fmt::format("{}.{}", version.major, version.minor); }

// An installed provider, from the operator's object or the objects that `clusterctl` creates.
struct Installed {
  std::string_view provider;  // "openstack"; "cluster-api" for the core
  Node version;
};

constexpr std::string_view kOperatorKinds[] = {"CoreProvider", "InfrastructureProvider", "ControlPlaneProvider",
                                               "BootstrapProvider"};

void add_installed(const Cluster& tree, std::vector<Installed>& found) {
  const auto add = [&](std::string_view provider, const Node& version) {
    if (!version.text().empty()) found.push_back({provider, version});
  };
  for (const std::string_view kind : kOperatorKinds)
    for (const Object* object : tree.of_kind(kind)) add(object->name(), (*object)["spec.version"]);
  for (const Object* object : tree.of_kind("Provider")) {
    if (object->group() == "clusterctl.cluster.x-k8s.io") add((*object)["providerName"].text(), (*object)["version"]);
  }
}

std::optional<Minor> minor_of(const Value& map, std::string_view key) {
  const Value* text = map.find(key);
  return text == nullptr ? std::nullopt : minor_in(text->text());
}

const Value* find_release(std::string_view provider, const Minor& version) {
  for (const Value& release : fact(contract_facts(), "providers").items())
    if (fact(release, "provider").text() == provider && minor_of(release, "version") == version) return &release;
  return nullptr;
}

void check_contract(const Installed& one, const Value& release, const Installed& core, const Minor& core_version,
                    Report& report) {
  for (const Value& contract : fact(contract_facts(), "contracts").items()) {
    if (fact(contract, "contract").text() != fact(release, "contract").text()) continue;
    const auto first = minor_of(contract, "first"), last = minor_of(contract, "last");
    if ((!first || *first <= core_version) && (!last || core_version <= *last)) return;
    report
        .at(one.version, "{} {} follows the contract {}, which Cluster API {} doesn't support", one.provider,
            one.version.text(), fact(release, "contract").text(), to_text(core_version))
        .also(core.version, "Cluster API")
        .note("it is supported from {} on{}", first ? to_text(*first) : "1.0",
              last ? ", until " + to_text(*last) : std::string())
        .help("upgrade the two together");
  }
}

void check_release(const Installed& one, const Installed& core, Report& report) {
  const auto version = minor_in(one.version.text()), core_version = minor_in(core.version.text());
  if (!version || !core_version) return;
  if (one.provider == fact(contract_facts(), "same_release").text()) {
    if (one.version.text() == core.version.text()) return;
    report.at(one.version, "{} is {}, and Cluster API is {}", one.provider, one.version.text(), core.version.text())
        .also(core.version, "Cluster API")
        .note("they are released and tested together")
        .help("use {} for both", core.version.text());
    return;
  }
  const Value* release = find_release(one.provider, *version);
  if (release == nullptr) return;
  if (const auto first = minor_of(*release, "first"); first && *core_version < *first) {
    report
        .at(one.version, "{} {} needs Cluster API {} or later, and this is {}", one.provider, one.version.text(),
            to_text(*first), core.version.text())
        .also(core.version, "Cluster API")
        .help("upgrade Cluster API first");
    return;
  }
  check_contract(one, *release, core, *core_version, report);
}

void check(const Fleet& fleet, Report& report) {
  std::vector<Installed> installed;
  for (const Cluster* tree : fleet.clusters) add_installed(*tree, installed);
  const auto is_core = [](const Installed& one) { return one.provider == "cluster-api"; };
  // With several management clusters, it is unknown which provider belongs to which.
  if (std::count_if(installed.begin(), installed.end(), is_core) != 1) return;
  const Installed& core = *std::find_if(installed.begin(), installed.end(), is_core);
  for (const Installed& one : installed)
    if (!is_core(one)) check_release(one, core, report);
}

// Such objects are rare.
void give_keys(const Cluster& tree, FleetKeys& keys) {
  std::vector<Installed> installed;
  add_installed(tree, installed);
  if (!installed.empty()) keys.alone();
}

}  // namespace

CW_LINT_RULE(provider_contract){
    .code = "CAP232",
    .name = "provider-contract",
    .severity = Severity::Warning,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a provider release that doesn't work with the release of Cluster API.

## Why is this bad?

Providers and Cluster API agree on a contract, which defines fields and conditions. If a provider is too new for its Cluster
API, or follows a contract that is no longer supported, clusters wait for conditions that are never set. The kubeadm
providers are part of Cluster API and have its release.

The rule checks objects of the Cluster API operator (`CoreProvider`, `InfrastructureProvider`, …) and clusterctl's
`Provider`, if a run has exactly one core provider. The table of compatible releases is dated.

## Example

```yaml
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: CoreProvider
metadata: {name: cluster-api}
spec: {version: v1.10.4}
---
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: InfrastructureProvider
metadata: {name: openstack}
spec: {version: v0.13.1}   # warning: [provider-contract] "openstack v0.13.1 needs Cluster API 1.11 or later, and"
---
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: BootstrapProvider
metadata: {name: kubeadm}
spec: {version: v1.10.3}   # warning: [provider-contract] "kubeadm is v1.10.3, and Cluster API is v1.10.4"
```

## Use instead

```yaml
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: CoreProvider
metadata: {name: cluster-api}
spec: {version: v1.14.2}
---
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: InfrastructureProvider
metadata: {name: openstack}
spec: {version: v0.14.7}
---
apiVersion: operator.cluster.x-k8s.io/v1alpha2
kind: ControlPlaneProvider
metadata: {name: rke2}
spec: {version: v0.25.0}
```
)md",
    .check_fleet = check,
    .fleet_keys = give_keys,
};

}  // namespace capwright::lint::rules::provider_contract
