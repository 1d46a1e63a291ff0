// The add-ons that a tree installs into a cluster, the cluster's own flavour, and what add-ons are configured with.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/applications.h"

namespace capwright::lint {

// An Application whose chart the catalogue knows, or the ClusterResourceSet of an add-on that comes as a manifest.
struct InstalledAddon {
  const values::Addon* addon = nullptr;
  const Object* object = nullptr;
};
using InstalledAddons = std::vector<InstalledAddon>;
const InstalledAddons& installed_addons(const Cluster& cluster);
// The same, apart by the cluster that they go to: a folder may hold several. By the destination of an Application, and
// the name that a ClusterResourceSet selects; where the folder holds one Cluster, everything but what goes to Argo CD's
// own is for that. Sorted by these names, in each the folder's order.
const std::vector<InstalledAddons>& addons_by_cluster(const Cluster& cluster);
// Null when it isn't there.
const InstalledAddon* find_addon(const InstalledAddons& addons, std::string_view id);
// The Application of any chart, whichever cluster it goes to.
const Object* find_chart(const Cluster& cluster, std::string_view chart);

// What a cluster is, as the catalogue names it: "openstack", "kubeadm". Empty: nothing in the tree says it, or its
// clusters differ.
struct Flavor {
  std::string_view provider, kubernetes_type;
  Node where;
};
Flavor flavor_of(const Cluster& cluster);

// The values of the chart, in the file that a `$ref/…/values.yaml` names or in the Application itself; absent when they
// are not in this tree. Of several files the last.
Node values_of(const InstalledAddon& installed, const Cluster& cluster);
// The file of the tree that a value file's path means, below its reference; null: none.
const File* file_at(const Cluster& cluster, std::string_view path_in_repository);

// The text of the workload cluster's cloud.conf, where it is readable.
struct CloudConf {
  bool known = false;
  Node node;
  std::string_view text;
};
CloudConf cloud_conf_of(const Cluster& cluster);

}  // namespace capwright::lint
