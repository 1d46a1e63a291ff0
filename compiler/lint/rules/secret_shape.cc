// CAP702: Secrets without the keys that their readers expect.
#include <algorithm>

#include "lint/engine/rule.h"
#include "lint/facts/cluster_addons.h"
#include "lint/facts/credential_objects.h"

namespace capwright::lint::rules::secret_shape {
namespace {

constexpr std::string_view kMove = "clusterctl.cluster.x-k8s.io/move";
constexpr std::string_view kCarried = "addons.cluster.x-k8s.io/resource-set";

// CAPO logs in with the Secret of an `identityRef`, which needs `clouds.yaml` with the named cloud.
void check_identity(const Object& object, const std::vector<RenderedSecret>& secrets, Report& report) {
  const Node reference =
      object["spec.identityRef"].exists() ? object["spec.identityRef"] : object["spec.template.spec.identityRef"];
  const std::string_view type = reference["type"].text();
  if (!reference || (!type.empty() && type != "Secret")) return;
  const RenderedSecret* secret = find_secret(secrets, object.space(), reference["name"].text());
  if (secret == nullptr || !secret->keys_known) return;  // CAP201 reports a missing one
  if (!secret->has_key("clouds.yaml")) {
    report.at(*secret->object, "the Secret `{}` has no key `clouds.yaml`", secret->name)
        .also(reference["name"], "the provider reads it from here")
        .help("add `clouds.yaml`");
    return;
  }
  const Node clouds = secret->text("clouds.yaml").yaml()["clouds"];
  const std::string_view cloud = reference["cloudName"].text();
  if (!clouds.is(Kind::Map) || cloud.empty() || clouds.member(cloud)) return;
  std::vector<std::string_view> names;
  for (const auto& [name, value] : clouds.members()) names.push_back(name);
  Finding& finding =
      report.at(reference["cloudName"], "`clouds.yaml` of the Secret `{}` has no cloud `{}`", secret->name, cloud);
  finding.also(clouds, "the clouds are here")
      .help("{}", names.size() == 1 ? fmt::format("use `{}`", names.front()) : "use one of them");
  if (names.size() == 1)
    finding.fix(reference["cloudName"], std::string(names.front()), Safety::Unsafe, "name the only cloud");
}

// A ClusterResourceSet only applies Secrets with a specific type.
void check_carried(const Object& set, const std::vector<RenderedSecret>& secrets, Report& report) {
  for (const Node resource : set["spec.resources"].items()) {
    if (resource["kind"].text() != "Secret") continue;
    const RenderedSecret* secret = find_secret(secrets, set.space(), resource["name"].text());
    if (secret == nullptr || secret->type.text() == kCarried) continue;
    const Node place = secret->type ? secret->type : secret->object->place();
    Finding& finding = report.at(place, "a ClusterResourceSet ignores a Secret of type `{}`",
                                 secret->type ? secret->type.text() : "Opaque");
    finding.also(resource["name"], "it is listed here").help("use the type `{}`", kCarried);
    if (secret->type) finding.fix(secret->type, std::string(kCarried), Safety::Safe, "use the type of carried Secrets");
  }
}

// Names of Secrets that objects of the cluster read, so that clusterctl must move them.
std::vector<std::string_view> names_in_use(const Cluster& cluster) {
  std::vector<std::string_view> names;
  for (const Object* object : cluster.objects()) {
    if (object->kind() == "ClusterResourceSet") {
      for (const Node resource : (*object)["spec.resources"].items()) {
        if (resource["kind"].text() == "Secret") names.push_back(resource["name"].text());
      }
    }
    const Node spec = (*object)["spec"];
    const Node identity = spec["identityRef"];
    if (identity && identity["type"].text() != "ClusterIdentity" && identity["kind"].text().empty())
      names.push_back(identity["name"].text());
    if (const Node secret = spec["secretRef"]; secret.is(Kind::String)) names.push_back(secret.text());
    if (const Node principal = spec["principalSecret.name"]) names.push_back(principal.text());
  }
  return names;
}

void check_move(const RenderedSecret& secret, Report& report) {
  if (secret.labels.member(kMove) || secret.object->label(kMove)) return;
  if (secret.object->kind() == "SealedSecret" && !(*secret.object)["spec.template"]) return;
  Finding& finding = report.at(*secret.object, "`clusterctl move` doesn't move the Secret `{}`", secret.name);
  finding.severity = Severity::Warning;
  finding.note("without its credential, a cluster can be neither changed nor deleted")
      .help("give the Secret the label `{}: \"true\"`{}", kMove,
            secret.object->kind() == "Secret" ? "" : ", in the template that it is made from");
}

struct CloudChart {
  std::string_view id;
  bool makes_by_default;  // its chart creates a Secret by default
};
constexpr CloudChart kCloudCharts[] = {{"openstack-ccm", true}, {"cinder-csi", false}};

// The name of the cloud.conf Secret in a ClusterResourceSet; empty: none is readable here.
std::string_view carried_name(const Cluster& cluster) {
  const std::string_view text = cloud_conf_of(cluster).text;
  constexpr std::string_view kName = "name: ";
  const std::size_t at = text.find("kind: Secret") == std::string_view::npos ? text.npos : text.find(kName);
  if (at == std::string_view::npos) return {};
  std::string_view name = text.substr(at + kName.size());
  name = name.substr(0, name.find('\n'));
  while (!name.empty() && (name.front() == '"' || name.front() == '\'')) name.remove_prefix(1);
  return name.substr(0, name.find_first_of("\"' "));
}

void check_chart(const CloudChart& chart, const InstalledAddons& addons, const Cluster& cluster, Report& report) {
  const InstalledAddon* installed = find_addon(addons, chart.id);
  const std::string_view carried = carried_name(cluster);
  if (installed == nullptr || carried.empty()) return;
  const Node values = values_of(*installed, cluster);
  if (!values.exists()) return;
  const Node create = values["secret.create"], name = values["secret.name"];
  if (create.is_true() || (chart.makes_by_default && !create)) {
    report.at(create, "the chart of `{}` would create its own Secret", chart.id)
        .note("that one is empty or redundant: the credential is in the Secret `{}`", carried)
        .help("set `secret.create` to `false`")
        .fix_plain(create, "false", Safety::Unsafe, "let the chart read the existing Secret");
  }
  if (!name.text().empty() && name.text() != carried) {
    report
        .at(name, "the chart of `{}` reads the Secret `{}`, but the tree contains `{}`", chart.id, name.text(), carried)
        .help("use `{}`", carried)
        .fix(name, std::string(carried), Safety::Unsafe, "name the existing Secret");
  }
}

void check(const Cluster& cluster, Report& report) {
  const std::vector<RenderedSecret> secrets = rendered_secrets(cluster);
  for (const Object* object : cluster.objects()) {
    const bool reads_clouds = object->kind().starts_with("OpenStack") && object->group().ends_with("cluster.x-k8s.io");
    if (reads_clouds) check_identity(*object, secrets, report);
    if (object->kind() == "ClusterResourceSet") check_carried(*object, secrets, report);
  }
  const std::vector<std::string_view> used = names_in_use(cluster);
  for (const RenderedSecret& secret : secrets) {
    if (std::find(used.begin(), used.end(), secret.name) != used.end()) check_move(secret, report);
  }
  const InstalledAddons& addons = installed_addons(cluster);
  for (const CloudChart& chart : kCloudCharts) check_chart(chart, addons, cluster, report);
}

}  // namespace

CW_LINT_RULE(secret_shape){
    .code = "CAP702",
    .name = "secret-shape",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports a Secret that lacks what its consumer needs.

## Why is this bad?

The mistake shows late, as a cluster that stays in `Provisioning` or as pods without credentials.

* The OpenStack provider reads `clouds.yaml`, and in it the cloud that `identityRef.cloudName` names.
* A ClusterResourceSet only carries Secrets of type `addons.cluster.x-k8s.io/resource-set`.
* `clusterctl move` only moves Secrets with its label (warning). Without its credential, a moved cluster can't be deleted.
* The charts of the OpenStack add-ons must read the Secret in the tree, by its name, and not create their own.

All forms of Secrets are checked, also what an ExternalSecret or SealedSecret creates.

## Example

```yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: a, namespace: a}
spec:
  identityRef:
    name: cloud
    cloudName: open-stack   # error: [secret-shape] "has no cloud `open-stack`"
---
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata: {name: cloud, namespace: a}
spec:
  target:
    template:
      metadata: {labels: {clusterctl.cluster.x-k8s.io/move: "true"}}
      data:
        clouds.yaml: |
          clouds:
            openstack: {auth_type: v3applicationcredential}
```

## Use instead

```yaml
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata: {name: a, namespace: a}
spec: {identityRef: {name: cloud, cloudName: openstack}}
---
apiVersion: v1
kind: Secret
metadata: {name: cloud, namespace: a, labels: {clusterctl.cluster.x-k8s.io/move: "true"}}
stringData:
  clouds.yaml: |
    clouds:
      openstack: {auth: {application_credential_secret: <secret>}}
```

## Fix

Unsafe: names the only cloud, writes the Secret's type, or lets the chart read the existing Secret.
)md",
    .fixes = Safety::Unsafe,
    .check_cluster = check,
};

}  // namespace capwright::lint::rules::secret_shape
