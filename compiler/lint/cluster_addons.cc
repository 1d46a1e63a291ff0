// Charts are known by their names, since repositories are mirrored.
#include "lint/cluster_addons.h"

#include <algorithm>
#include <fmt/format.h>

#include "lint/catalogue.h"

namespace capwright::lint {
namespace {

struct Sign {
  std::string_view kind, provider, kubernetes_type;
};
constexpr Sign kSigns[] = {
    {"OpenStackCluster", "openstack", ""},
    {"AWSCluster", "aws", ""},
    {"AWSManagedControlPlane", "aws", "eks"},
    {"AzureCluster", "azure", ""},
    {"AzureASOManagedControlPlane", "azure", "aks"},
    {"AzureManagedControlPlane", "azure", "aks"},
    {"OCICluster", "oci", ""},
    {"OCIManagedControlPlane", "oci", "oke"},
    {"KubeadmControlPlane", "", "kubeadm"},
    {"RKE2ControlPlane", "", "rke2"},
    {"KThreesControlPlane", "", "k3s"},
};

// A manifest that Cluster API applies is told by the folder of its add-on: `addons/canal/`.
const values::Addon* addon_of_folder(std::string_view path) {
  for (const values::Addon& addon : addon_catalogue().addons) {
    if (addon.has_chart) continue;
    if (path.find(fmt::format("/addons/{}/", addon.id)) != std::string_view::npos) return &addon;
  }
  return nullptr;
}

// A line of the text is `cloud.conf:`, as in a manifest that carries the Secret.
bool holds_cloud_conf(const Node& node, std::string_view key) {
  return key == "cloud.conf" || node.text().find("cloud.conf: |") != std::string_view::npos;
}

std::vector<InstalledAddon> find_addons(const Cluster& cluster) {
  std::vector<InstalledAddon> addons;
  for (const Object* object : cluster.objects()) {
    const values::Addon* addon = nullptr;
    if (is_application(*object)) addon = addon_of(*object);
    else if (object->kind() == "ClusterResourceSet") addon = addon_of_folder(object->file().path);
    if (addon != nullptr) addons.push_back({addon, object});
  }
  return addons;
}

}  // namespace

const std::vector<InstalledAddon>& installed_addons(const Cluster& cluster) { return cluster.memo(find_addons); }

const InstalledAddon* find_addon(const std::vector<InstalledAddon>& addons, std::string_view id) {
  const auto found =
      std::find_if(addons.begin(), addons.end(), [&](const InstalledAddon& one) { return one.addon->id == id; });
  return found == addons.end() ? nullptr : &*found;
}

const Object* find_chart(const Cluster& cluster, std::string_view chart) {
  for (const Object* object : cluster.of_kind("Application")) {
    for (const ChartSource& source : sources_of(*object)) {
      if (source.chart == chart) return object;
    }
  }
  return nullptr;
}

Flavor flavor_of(const Cluster& cluster) {
  Flavor flavor;
  for (const Sign& sign : kSigns) {
    const Objects objects = cluster.of_kind(sign.kind);
    if (objects.empty()) continue;
    if (!flavor.where) flavor.where = objects.front()->place();
    if (flavor.provider.empty()) flavor.provider = sign.provider;
    if (flavor.kubernetes_type.empty()) flavor.kubernetes_type = sign.kubernetes_type;
  }
  return flavor;
}

const File* file_at(const Cluster& cluster, std::string_view path) {
  for (const File& file : cluster.files()) {
    const std::string_view longer =
        std::max<std::string_view>(file.path, path, [](auto a, auto b) { return a.size() < b.size(); });
    const std::string_view shorter = longer == path ? std::string_view(file.path) : path;
    if (!longer.ends_with(shorter)) continue;
    if (longer.size() == shorter.size() || longer[longer.size() - shorter.size() - 1] == '/') return &file;
  }
  return nullptr;
}

Node values_of(const InstalledAddon& installed, const Cluster& cluster) {
  Node values;
  if (!is_application(*installed.object)) return values;
  for (const ChartSource& source : sources_of(*installed.object)) {
    if (source.chart.empty()) continue;
    for (const Node& name : source.value_files()) {
      const std::string_view path = name.text();
      const std::size_t slash = path.find('/');
      if (!path.starts_with('$') || slash == std::string_view::npos) continue;
      if (const File* file = file_at(cluster, path.substr(slash + 1))) values = file->root();
    }
    if (source.node["helm.values"]) values = source.node["helm.values"].yaml();
    if (source.node["helm.valuesObject"]) values = source.node["helm.valuesObject"];
  }
  return values;
}

CloudConf cloud_conf_of(const Cluster& cluster) {
  CloudConf conf;
  const auto look = [&](const Node& data) {
    for (const auto& [key, node] : data.members()) {
      if (!conf.known && node.is(Kind::String) && holds_cloud_conf(node, key)) conf = {true, node, node.text()};
    }
  };
  for (const Object* object : cluster.objects()) {
    if (object->kind() == "Secret") look((*object)["stringData"]);
    else if (object->kind() == "ExternalSecret") look((*object)["spec.target.template.data"]);
  }
  return conf;
}

}  // namespace capwright::lint
