// CAP212: cloud resources that two clusters use under one name, so that each treats them as its own.
#include <fmt/format.h>
#include <functional>
#include <map>

#include "lint/engine/fleet_keys.h"
#include "lint/engine/rule.h"
#include "lint/facts/cni.h"

namespace capwright::lint::rules::duplicate_cloud_identity {
namespace {

// A resource in the cloud: `text` identifies it and its location.
struct Claim {
  std::string identity;
  Node place;
  std::string_view what, consequence;
};
using Visit = std::function<void(Claim)>;

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += fmt::format("{}\n", part);
  return text;
}

// The account or project, as far as the reference to the credentials identifies it: objects with equal names are the
// same object only in one namespace, or if they are cluster-scoped.
std::string account_of(const Object& object, bool is_cluster_scoped) {
  const Node reference = object["spec.identityRef"];
  return joined({reference["kind"].text(), reference["type"].text(), reference["name"].text(),
                 reference["cloudName"].text(), reference["region"].text(),
                 is_cluster_scoped ? std::string_view() : object.space()});
}

void claim_eks(const Object& control_plane, const Visit& visit) {
  const Node name = control_plane["spec.eksClusterName"];
  if (name.text().empty()) return;
  visit({joined({"eks", name.text(), control_plane["spec.region"].text(), account_of(control_plane, true)}), name,
         "cluster of EKS", "both control planes describe it, and undo each other's changes"});
}

void claim_azure(const Object& object, const Visit& visit) {
  const Node group = object["spec.resourceGroup"], subscription = object["spec.subscriptionID"];
  if (group.text().empty() || subscription.text().empty()) return;
  visit({joined({"group", group.text(), subscription.text()}), group, "resource group",
         "deleting one cluster deletes the group with all its resources"});
}

// Buckets, with the path inside of them.
void claim_snapshots(const Object& control_plane, const Visit& visit) {
  const Node s3 = control_plane["spec.serverConfig.etcd.backupConfig.s3"];
  const Node folder = s3["folder"] ? s3["folder"] : s3["bucket"];
  if (s3["bucket"].text().empty()) return;
  visit({joined({"etcd", s3["endpoint"].text(), s3["region"].text(), s3["bucket"].text(), s3["folder"].text()}), folder,
         "folder for snapshots of etcd", "each prunes the other's snapshots and may restore them"});
}

void claim_backups(const Node& values, const Visit& visit) {
  for (const Node location : values["configuration.backupStorageLocation"].items()) {
    const Node prefix = location["prefix"] ? location["prefix"] : location["bucket"];
    if (location["bucket"].text().empty() || location["accessMode"].text() == "ReadOnly") continue;
    visit({joined({"velero", location["provider"].text(), location["config.s3Url"].text(),
                   location["config.region"].text(), location["bucket"].text(), location["prefix"].text()}),
           prefix, "place for Velero's backups",
           "each treats the other's backups as its own and deletes expired ones"});
  }
}

void claim_records(const Node& values, const Visit& visit) {
  const Node owner = values["txtOwnerId"];
  if (owner.text().empty()) return;
  std::string zones;
  for (const Node zone : values["domainFilters"].items()) zones += fmt::format("{} ", zone.text());
  visit({joined({"dns", owner.text(), zones}), owner, "owner of DNS records",
         "each deletes the other's records as its own"});
}

// Load balancers are named after the cluster, in the project of its credentials.
void claim_balancers(const Node& values, const Object& cloud, const Visit& visit) {
  const Node name = values["cluster.name"];
  const bool is_controller = values["enabledControllers"] || values["cloudConfig"] || values["secret.create"].exists();
  if (name.text().empty() || !is_controller) return;
  visit({joined({"ccm", name.text(), account_of(cloud, cloud["spec.identityRef.type"].text() == "ClusterIdentity")}),
         name, "name of OpenStack's cloud controller", "each treats the other's load balancers as its own"});
}

void claims_of(const Cluster& tree, const Visit& visit) {
  for (const Object* object : tree.of_kind("AWSManagedControlPlane")) claim_eks(*object, visit);
  for (const Object* object : tree.of_kind("AzureCluster")) claim_azure(*object, visit);
  for (const Object* object : tree.of_kind("RKE2ControlPlane")) claim_snapshots(*object, visit);
  const Objects clouds = tree.of_kind("OpenStackCluster");
  for (const Node& values : chart_values_in(tree)) {
    claim_backups(values, visit);
    claim_records(values, visit);
    if (clouds.size() == 1) claim_balancers(values, *clouds.front(), visit);
  }
}

void check(const Fleet& fleet, Report& report) {
  std::map<std::string, Node> first;
  for (const Cluster* tree : fleet.clusters) {
    claims_of(*tree, [&](Claim claim) {
      const auto [known, is_new] = first.try_emplace(std::move(claim.identity), claim.place);
      if (is_new || known->second.document() == claim.place.document()) return;
      report.at(claim.place, "another cluster has the same {}, `{}`", claim.what, claim.place.text())
          .also(known->second, "the other")
          .note("{}", claim.consequence)
          .help("give each cluster its own");
    });
  }
}

void give_keys(const Cluster& tree, FleetKeys& keys) {
  claims_of(tree, [&](const Claim& claim) { keys.add("duplicate-cloud-identity", claim.identity); });
}

}  // namespace

CW_LINT_RULE(duplicate_cloud_identity){
    .code = "CAP212",
    .name = "duplicate-cloud-identity",
    .severity = Severity::Error,
    .since = "0.1",
    .docs = R"md(
## What it does

Reports two clusters that claim the same resource in the cloud.

## Why is this bad?

The manifests have different names, so Kubernetes sees no conflict. In the cloud, the two controllers undo each other's work
or delete what the other one needs. The rule compares all clusters of a run by

* the cluster's name in EKS, with its region and identity;
* resource group and subscription of `AzureCluster`;
* the cluster name of OpenStack's cloud controller manager, if both clusters have the same credentials;
* the owner ID of external-dns, with its domains;
* bucket and prefix of Velero, bucket and folder of RKE2's etcd snapshots.

## Example

```yaml file=clusters/a/cluster.yaml
kind: AWSManagedControlPlane
metadata: {name: a}
spec: {eksClusterName: prod, region: eu-west-1}
---
kind: RKE2ControlPlane
spec: {serverConfig: {etcd: {backupConfig: {s3: {endpoint: s3.example.com, bucket: etcd, folder: prod}}}}}
```
```yaml file=clusters/b/cluster.yaml
kind: AWSManagedControlPlane
metadata: {name: b}
spec:
  eksClusterName: prod   # error: [duplicate-cloud-identity] "the same cluster of EKS, `prod`"
  region: eu-west-1
---
kind: RKE2ControlPlane
spec:
  serverConfig:
    etcd:
      backupConfig:
        s3:
          endpoint: s3.example.com
          bucket: etcd
          folder: prod   # error: [duplicate-cloud-identity] "snapshots"
```

## Use instead

```yaml file=clusters/a/cluster.yaml
kind: AWSManagedControlPlane
spec: {eksClusterName: prod, region: eu-west-1}
```
```yaml file=clusters/b/cluster.yaml
kind: AWSManagedControlPlane
spec: {eksClusterName: prod, region: eu-central-1}
```
)md",
    .check_fleet = check,
    .fleet_keys = give_keys,
};

}  // namespace capwright::lint::rules::duplicate_cloud_identity
