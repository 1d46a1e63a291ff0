// The add-ons that a tree installs into a cluster, their configuration, and the cluster's flavor.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lint/facts/applications.h"

namespace capwright::lint {

// An Application, HelmRelease or HelmChartProxy whose chart is in the catalogue, or the ClusterResourceSet of an add-on
// that is a manifest.
struct InstalledAddon {
  const values::Addon* addon = nullptr;
  const Object* object = nullptr;
};
using InstalledAddons = std::vector<InstalledAddon>;
const InstalledAddons& installed_addons(const Cluster& cluster);
// The same, grouped by destination cluster, because a folder may contain several: the destination of an Application, or
// the name that a ClusterResourceSet selects. In a folder with one Cluster, everything belongs to it except
// Applications for Argo CD's own cluster. Sorted by cluster name, then in the folder's order.
const std::vector<InstalledAddons>& addons_by_cluster(const Cluster& cluster);
// Null when it isn't installed.
const InstalledAddon* find_addon(const InstalledAddons& addons, std::string_view id);
// The Application for any chart, whatever its destination.
const Object* find_chart(const Cluster& cluster, std::string_view chart);

// The type of a cluster in the catalogue's terms: "openstack", "kubeadm". Empty: the tree doesn't determine it, or its
// clusters differ.
struct Flavor {
  std::string_view provider, kubernetes_type;
  Node where;
};
Flavor flavor_of(const Cluster& cluster);

// The values of the chart, from the file that `$ref/…/values.yaml` names or from the Application itself; absent when
// they aren't in this tree. With several files, those of the last.
Node values_of(const InstalledAddon& installed, const Cluster& cluster);
// The file of the tree that a value file's path refers to, without its `$ref`; null if there is none.
const File* file_at(const Cluster& cluster, std::string_view path_in_repository);

// The text of the workload cluster's cloud.conf, if it is readable.
struct CloudConf {
  bool known = false;
  Node node;
  std::string_view text;
};
CloudConf cloud_conf_of(const Cluster& cluster);

}  // namespace capwright::lint
