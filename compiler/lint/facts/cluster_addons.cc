// Identifies charts by name, because repositories are mirrored.
#include "lint/facts/cluster_addons.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "lint/facts/catalogue.h"

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

constexpr std::string_view kClusterLabel = "cluster.x-k8s.io/cluster-name";

// The folder or the name identifies an add-on whose manifests Cluster API applies: `addons/canal/`, `prod-canal`.
const values::Addon* addon_of_set(const Object& set) {
  const std::string_view path = set.file().path, cluster = set.label(kClusterLabel).text();
  for (const values::Addon& addon : addon_catalogue(set.cluster()).addons) {
    if (addon.has_chart) continue;
    if (path.find(fmt::format("/addons/{}/", addon.id)) != std::string_view::npos) return &addon;
    if (!cluster.empty() && set.name() == fmt::format("{}-{}", cluster, addon.id)) return &addon;
  }
  return nullptr;
}

// Whether a line of the text is `cloud.conf:`, as in a manifest that contains the Secret.
bool holds_cloud_conf(const Node& node, std::string_view key) {
  return key == "cloud.conf" || node.text().find("cloud.conf: |") != std::string_view::npos;
}

// Compares whole path components.
bool ends_in(std::string_view path, std::string_view end) {
  const std::size_t more = path.size() - std::min(path.size(), end.size());
  return path.ends_with(end) && (more == 0 || path[more - 1] == '/');
}

bool is_less_backwards(std::string_view a, std::string_view b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

// Files by the ends of their paths.
class FileEnds {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  explicit FileEnds(const std::deque<File>& files) {
    for (const File& file : files) ends_.push_back({file.path, ends_.size()});
    std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) {
      return a.path == b.path ? a.number < b.number : is_less_backwards(a.path, b.path);
    });
  }

  // The first file whose path ends in `path`, or whose path is an end of `path`, by whole components.
  std::size_t first_at(std::string_view path) const {
    std::size_t first = kNone;
    for (auto end = from(path); end != ends_.end() && end->path.ends_with(path); ++end) {
      if (ends_in(end->path, path)) first = std::min(first, end->number);
    }
    for (std::size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
      const std::string_view shorter = path.substr(slash + 1);
      const auto end = from(shorter);
      if (end != ends_.end() && end->path == shorter) first = std::min(first, end->number);
    }
    return first;
  }

 private:
  struct End {
    std::string_view path;
    std::size_t number;  // the file's index
  };
  std::vector<End>::const_iterator from(std::string_view path) const {
    return std::partition_point(ends_.begin(), ends_.end(),
                                [&](const End& end) { return is_less_backwards(end.path, path); });
  }
  std::vector<End> ends_;  // sorted
};

FileEnds file_ends(const Cluster& cluster) { return FileEnds(cluster.files()); }

InstalledAddons find_addons(const Cluster& cluster) {
  InstalledAddons addons;
  for (const Object* object : cluster.objects()) {
    const values::Addon* addon = nullptr;
    if (is_application(*object)) addon = addon_of(*object);
    else if (object->kind() == "ClusterResourceSet") addon = addon_of_set(*object);
    else addon = addon_of_release(*object);
    if (addon != nullptr) addons.push_back({addon, object});
  }
  return addons;
}

// The destination cluster of an add-on: a name, or the address of its API server. `is_alone`: the folder contains one
// Cluster.
std::string_view destination_of(const Object& object, bool is_alone) {
  if (is_application(object) && is_in_cluster(object)) return "in-cluster";
  if (is_alone) return {};
  if (object.kind() == "HelmRelease") return object.label(kClusterLabel).text();
  if (!is_application(object)) return object["spec.clusterSelector.matchLabels"].member(kClusterLabel).text();
  const Node destination = object["spec.destination"];
  return destination["name"] ? destination["name"].text() : destination["server"].text();
}

std::vector<InstalledAddons> sort_addons(const Cluster& cluster) {
  std::map<std::string_view, InstalledAddons> sorted;
  const bool is_alone = cluster.of_kind("Cluster").size() == 1;
  for (const InstalledAddon& installed : installed_addons(cluster))
    sorted[destination_of(*installed.object, is_alone)].push_back(installed);
  std::vector<InstalledAddons> addons;
  for (auto& [destination, of_one] : sorted) addons.push_back(std::move(of_one));
  return addons;
}

}  // namespace

const std::vector<InstalledAddons>& addons_by_cluster(const Cluster& cluster) { return cluster.memo(sort_addons); }

const InstalledAddons& installed_addons(const Cluster& cluster) { return cluster.memo(find_addons); }

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
  bool providers_differ = false, types_differ = false;
  const auto learn = [](std::string_view& known, std::string_view sign, bool& differ) {
    differ = differ || (!known.empty() && !sign.empty() && known != sign);
    if (known.empty()) known = sign;
  };
  for (const Sign& sign : kSigns) {
    const Objects objects = cluster.of_kind(sign.kind);
    if (objects.empty()) continue;
    if (!flavor.where) flavor.where = objects.front()->place();
    learn(flavor.provider, sign.provider, providers_differ);
    learn(flavor.kubernetes_type, sign.kubernetes_type, types_differ);
  }
  if (providers_differ) flavor.provider = {};
  if (types_differ) flavor.kubernetes_type = {};
  return flavor;
}

const File* file_at(const Cluster& cluster, std::string_view path) {
  constexpr std::size_t kFew = 64;  // a linear search is as fast
  if (cluster.files().size() <= kFew) {
    const auto found = std::find_if(cluster.files().begin(), cluster.files().end(), [&](const File& file) {
      return ends_in(file.path, path) || ends_in(path, file.path);
    });
    return found == cluster.files().end() ? nullptr : &*found;
  }
  const std::size_t number = cluster.memo(file_ends).first_at(path);
  return number == FileEnds::kNone ? nullptr : &cluster.files()[number];
}

Node values_of(const InstalledAddon& installed, const Cluster& cluster) {
  Node values;
  if (installed.object->kind() == "HelmRelease") return (*installed.object)["spec.values"];
  if (installed.object->kind() == "HelmChartProxy") return (*installed.object)["spec.valuesTemplate"].yaml();
  if (!is_application(*installed.object)) return values;
  for (const ChartSource& source : sources_of(*installed.object)) {
    if (source.chart.empty()) continue;
    for (const Node name : source.value_files()) {
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
