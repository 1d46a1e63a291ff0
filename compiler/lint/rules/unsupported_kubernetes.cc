// CAP502: versions that reached their end of life, or that a cloud doesn't offer.
#include <algorithm>
#include <fmt/format.h>

#include "lint/engine/rule.h"
#include "lint/facts/catalogue.h"
#include "lint/facts/versions.h"

namespace capwright::lint::rules::unsupported_kubernetes {
namespace {

const Value& facts_for(const Object& control_plane) {
  const Value* own = control_plane.cluster().context().kubernetes;
  return own != nullptr ? *own : kubernetes_facts();
}

const Value* offer_for(const Object& control_plane) {
  for (const Value& offer : fact(facts_for(control_plane), "offers").items()) {
    const auto kinds = fact(offer, "control_planes").items();
    if (std::any_of(kinds.begin(), kinds.end(), [&](const Value& k) { return k.text() == control_plane.kind(); }))
      return &offer;
  }
  return nullptr;
}

const Value* release_of(const Value& offer, const KubernetesVersion& version) {
  for (const Value& release : fact(offer, "releases").items()) {
    if (release.text_at("minor") == version.minor_text()) return &release;
  }
  return nullptr;
}

int newest_of(const Value& offer) {
  int newest = 0;
  for (const Value& release : fact(offer, "releases").items()) {
    const auto version = kubernetes_version(release.text_at("minor"));
    if (version) newest = std::max(newest, version->minor);
  }
  return newest;
}

// Not in the catalogue: older than all of it, or newer.
void report_unlisted(const Node& node, const KubernetesVersion& version, const Value& offer, const Value& facts,
                     Report& report) {
  const std::string_view title = offer.text_at("title"), own_day = offer.text_at("as_of");
  const std::string_view as_of = own_day.empty() ? facts.text_at("as_of") : own_day;
  const int newest = newest_of(offer);
  if (version.minor > newest) {
    report.at(node, "{} is newer than {}'s newest version on {}, 1.{}", version.minor_text(), title, as_of, newest)
        .help(
            "check that it is released, then add it to `catalogue/kubernetes.yaml` as `capwright explain CAP502` shows")
        .as(Severity::Warning);
    return;
  }
  if (offer.find("service") != nullptr) {
    report.at(node, "{} no longer offers {}", title, version.minor_text())
        .note("the catalogue is of {}", as_of)
        .help("use 1.{} or an earlier minor version that is still offered", newest);
    return;
  }
  const Value& manager = fact(facts, "cluster_api");
  const auto oldest = kubernetes_version(manager.text_at("oldest"));
  Finding& finding = report.at(node, "{} is out of support and gets no security fixes", version.minor_text());
  if (oldest && version.minor < oldest->minor)
    finding.note("Cluster API {} is tested with {} to {}", manager.text_at("release"), manager.text_at("oldest"),
                 manager.text_at("newest"));
  finding.note("the catalogue is of {}", as_of).help("upgrade by one minor version at a time").as(Severity::Warning);
}

// The repository's own entry that the dates are from, if it is one.
std::string decided_by(const Value& release) {
  const std::string_view from = release.text_at("from");
  return from.empty() ? "" : fmt::format("; the dates are those of `{}`", from);
}

void check(const Object& control_plane, Report& report) {
  const Node node = control_plane["spec.version"];
  const auto version = kubernetes_version(node.text());
  const Value* offer = offer_for(control_plane);
  if (!version || offer == nullptr) return;
  const Value* release = release_of(*offer, *version);
  if (release == nullptr) return report_unlisted(node, *version, *offer, facts_for(control_plane), report);
  const std::string_view title = offer->text_at("title"), today = control_plane.cluster().context().as_of;
  const std::string_view standard = release->text_at("standard_until"), extended = release->text_at("extended_until");
  // Dates of ISO 8601 are in the order of their texts.
  if (standard.empty() || today <= standard) return;
  if (!extended.empty() && today > extended) {
    report.at(node, "{} ended support for {} on {}", title, version->minor_text(), extended)
        .note("as of {}{}", today, decided_by(*release))
        .help("upgrade by one minor version at a time");
    return;
  }
  Finding& finding =
      report.at(node, "the standard support for {} {} ended on {}", title, version->minor_text(), standard)
          .as(Severity::Warning);
  if (!extended.empty()) finding.note("extended support, {}, lasts until {}", offer->text_at("extended"), extended);
  finding.note("as of {}{}", today, decided_by(*release)).help("upgrade by one minor version at a time");
}

}  // namespace

CW_LINT_RULE(unsupported_kubernetes){
    .code = "CAP502",
    .name = "unsupported-kubernetes",
    .severity = Severity::Error,
    .since = "0.1",
    .kinds =
        "KubeadmControlPlane RKE2ControlPlane KThreesControlPlane AWSManagedControlPlane AzureASOManagedControlPlane "
        "AzureManagedControlPlane OCIManagedControlPlane",
    .docs = R"md(
## What it does

Reports a Kubernetes minor version that is out of support, or that the cloud doesn't offer.

## Why is this bad?

A minor version gets fixes for about fourteen months. EKS, AKS and OKE reject new clusters of versions that they have
dropped, and upgrade old clusters on their own schedule. Upgrades go one minor version at a time, so a late upgrade takes more
steps.

A version past standard support, or newer than the catalogue, is a warning; a version that the service no longer offers is
an error. The dates are built in. They are compared with the catalogue's date, or with `--as-of`, so findings don't change
from day to day.

The file `catalogue/kubernetes.yaml` beside `capwright.yaml` adds or replaces dates, such as those of a new minor version:

```text
as_of: "2027-07-01"
source: kubernetes.io/releases
offers:
  - title: Kubernetes   # or EKS, AKS, OKE
    releases:
      - {minor: "1.38", standard_until: "2028-08-28"}
```

## Example

```yaml
kind: RKE2ControlPlane
spec: {version: v1.28.15+rke2r1}   # warning: [unsupported-kubernetes] "1.28 is out of support"
```

## Use instead

```yaml
kind: KubeadmControlPlane
spec: {version: v1.35.8}
---
kind: KThreesControlPlane
spec: {version: v1.37.2+k3s1}
---
kind: OCIManagedControlPlane
spec: {version: v1.33.5}
---
kind: AWSManagedControlPlane
spec: {version: v1.36}
```
)md",
    .check_object = check,
};

}  // namespace capwright::lint::rules::unsupported_kubernetes
