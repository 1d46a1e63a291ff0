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
const std::vector<InstalledAddon>& installed_addons(const Cluster& cluster);
// Null when it isn't there.
const InstalledAddon* find_addon(const std::vector<InstalledAddon>& addons, std::string_view id);
// The Application of any chart.
const Object* find_chart(const Cluster& cluster, std::string_view chart);

// What a cluster is, as the catalogue names it: "openstack", "kubeadm". Empty: nothing in the tree says it.
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
