// Identifies charts by the shape of their values, because an Application may use any name.
#include "lint/facts/cni.h"

#include <algorithm>

#include "lint/facts/catalogue.h"
#include "lint/facts/cluster_addons.h"

namespace capwright::lint {
namespace {

bool is_values_file(const File& file) {
  return file.path.ends_with("values.yaml") && file.root().is(Kind::Map) && !file.root()["kind"];
}

void add_source(const Node& source, std::vector<Node>& values) {
  const Node helm = source["helm"];
  if (!helm) return;
  if (const Node object = helm["valuesObject"]) values.push_back(object);
  if (const Node text = helm["values"].yaml()) values.push_back(text);
}

bool is_cilium(const Node& values) {
  return values["ipam.operator"] || values["tunnelProtocol"] || values["routingMode"].exists();
}

// An object among the machine's files may configure one of RKE2's own charts.
bool configures_chart(const Object& control_plane) {
  for (const Node file : control_plane["spec.files"].items())
    if (file["content"].text().find("HelmChartConfig") != std::string_view::npos) return true;
  return false;
}

std::optional<Cni> cni_of_rke2(const Object& control_plane) {
  const Node cni = control_plane["spec.serverConfig.cni"];
  if (configures_chart(control_plane)) return std::nullopt;
  if (cni.text() == "canal") return Cni{"canal", "Canal", cni};
  if (cni.text() == "calico") return Cni{"calico-vxlan", "Calico", cni};
  if (cni.text() == "cilium") return Cni{"cilium-vxlan", "Cilium", cni};
  return std::nullopt;
}

// A configuration file sets the backend; the default is VXLAN.
std::optional<Cni> cni_of_k3s(const Object& control_plane) {
  for (const Node file : control_plane["spec.kthreesConfigSpec.files"].items()) {
    const Node backend = file["content"].yaml()["flannel-backend"];
    if (!backend) continue;
    if (backend.text() == "wireguard-native") return Cni{"flannel-wireguard", "Flannel", backend};
    if (backend.text() != "vxlan") return std::nullopt;
  }
  return Cni{"flannel", "Flannel", control_plane.place()};
}

std::optional<Cni> cni_of_values(const Node& values) {
  if (is_cilium(values)) {
    const Node routing = values["routingMode"], tunnel = values["tunnelProtocol"], type = values["encryption.type"];
    if (values["encryption.enabled"].is_true() && type.text() == "wireguard")
      return Cni{"cilium-wireguard", "Cilium", type};
    if (routing.text() == "native") return Cni{"cilium-native", "Cilium", routing};
    if (tunnel.text() == "geneve") return Cni{"cilium-geneve", "Cilium", tunnel};
    return Cni{"cilium-vxlan", "Cilium", tunnel ? tunnel : values};
  }
  const Node calico = values["installation.calicoNetwork"];
  if (!calico) return std::nullopt;
  const Node encapsulation = calico["ipPools[0].encapsulation"];
  if (encapsulation.text().starts_with("VXLAN")) return Cni{"calico-vxlan", "Calico", encapsulation};
  if (encapsulation.text().starts_with("IPIP")) return Cni{"calico-bgp", "Calico", encapsulation};
  return std::nullopt;
}

struct FlannelConfig {
  Node network, network_v6, backend;
};

std::vector<FlannelConfig> flannel_configs(InnerObjects& inner) {
  std::vector<FlannelConfig> configs;
  for (const Node& map : inner.of_kind("ConfigMap", "net-conf.json")) {
    const Node config = map["data"].member(std::string_view("net-conf.json")).yaml();
    if (config) configs.push_back({config["Network"], config["IPv6Network"], config["Backend.Type"]});
  }
  return configs;
}

void add_pool(std::vector<PodPool>& pools, std::string_view title, const Node& text, bool whole) {
  if (!text.text().empty()) pools.push_back({title, text, whole});
}

void add_pools_of_values(const Node& values, std::vector<PodPool>& pools) {
  for (const Node pool : values["installation.calicoNetwork.ipPools"].items())
    add_pool(pools, "Calico", pool["cidr"], false);
  const std::string_view mode = values["ipam.mode"].text();
  if (!mode.empty() && mode != "cluster-pool") return;
  const Node pool = values["ipam.operator"];
  for (const Node& list : {pool["clusterPoolIPv4PodCIDRList"], pool["clusterPoolIPv6PodCIDRList"]}) {
    add_pool(pools, "Cilium", list, false);
    for (const Node item : list.items()) add_pool(pools, "Cilium", item, false);
  }
}

// Whether an object names a rendered file: a patch may have deleted the Application that used it. Other values may be
// used from elsewhere.
bool is_used(const File& file, const Cluster& cluster) {
  const std::size_t folder = file.path.rfind("addons/");
  if (file.rendered == nullptr || folder == std::string::npos) return true;
  const std::string_view path = std::string_view(file.path).substr(folder);
  return std::ranges::any_of(cluster.files(), [&](const File& other) {
    return &other != &file && cluster.sources().text(other.source).find(path) != std::string_view::npos;
  });
}

std::vector<Node> find_chart_values(const Cluster& cluster) {
  std::vector<Node> values;
  for (const File& file : cluster.files())
    if (is_values_file(file) && is_used(file, cluster)) values.push_back(file.root());
  for (const Object* application : cluster.of_kind("Application")) {
    add_source((*application)["spec.source"], values);
    for (const Node source : (*application)["spec.sources"].items()) add_source(source, values);
  }
  return values;
}

// Whether the object that installs a chart has values that values_of() doesn't return.
bool has_other_values(const Object& object) {
  if (object["spec.valuesFrom"] || object["spec.valuesTemplate"]) return true;
  if (!is_application(object)) return false;
  return std::ranges::any_of(sources_of(object), [](const ChartSource& source) {
    const Node helm = source.node["helm"];
    return helm["valueFiles"] || helm["values"] || helm["valuesObject"] || helm["parameters"] || helm["fileParameters"];
  });
}

bool uses_default(const Node& values, const Value& entry) {
  for (const std::string_view key : words_of(fact(entry, "set_by")))
    if (values[Path::of_catalogue(key)]) return false;
  for (const Entry& need : fact(entry, "needs").entries()) {
    const Node value = values[Path::of_catalogue(need.key.text())];
    if (value && !json_equal(value.value(), need.value)) return false;
  }
  return true;
}

}  // namespace

std::vector<DefaultPods> default_pods_of(const Cluster& cluster) {
  std::vector<DefaultPods> found;
  for (const Value& entry : fact(network_facts(), "default_pods").items()) {
    const InstalledAddon* installed = find_addon(installed_addons(cluster), fact(entry, "addon").text());
    if (installed == nullptr) continue;
    const Node values = values_of(*installed, cluster);
    if (values ? !uses_default(values, entry) : has_other_values(*installed->object)) continue;
    const std::string_view key = words_of(fact(entry, "set_by")).front();
    for (const std::string_view range : words_of(fact(entry, "ranges")))
      found.push_back({fact(entry, "title").text(), range, key, values ? values : installed->object->place()});
  }
  return found;
}

const std::vector<Node>& chart_values_in(const Cluster& cluster) { return cluster.memo(find_chart_values); }

std::optional<Cni> cni_of(const ClusterParts& parts, InnerObjects& inner) {
  for (const FlannelConfig& config : flannel_configs(inner)) {
    if (config.backend.text() == "vxlan") return Cni{"canal", "Canal", config.backend};
    if (config.backend.text() == "wireguard") return Cni{"canal-wireguard", "Canal", config.backend};
    return std::nullopt;
  }
  for (const Node& values : chart_values_in(parts.cluster->cluster()))
    if (const auto cni = cni_of_values(values)) return cni;
  if (parts.control_plane_kind() == "RKE2ControlPlane") return cni_of_rke2(*parts.control_plane);
  if (parts.control_plane_kind() == "KThreesControlPlane") return cni_of_k3s(*parts.control_plane);
  return std::nullopt;
}

std::vector<PodPool> pod_pools_of(const ClusterParts& parts, InnerObjects& inner) {
  std::vector<PodPool> pools;
  for (const FlannelConfig& config : flannel_configs(inner)) {
    add_pool(pools, "Canal", config.network, true);
    add_pool(pools, "Canal", config.network_v6, true);
  }
  const Cluster& cluster = parts.cluster->cluster();
  for (const Node& values : chart_values_in(cluster)) add_pools_of_values(values, pools);
  for (const Node& installation : inner.of_kind("Installation", "calicoNetwork")) {
    for (const Node pool : installation["spec.calicoNetwork.ipPools"].items())
      add_pool(pools, "Calico", pool["cidr"], false);
  }
  for (const Node& pool : inner.of_kind("IPPool", "projectcalico.org"))
    add_pool(pools, "Calico", pool["spec.cidr"], false);
  return pools;
}

}  // namespace capwright::lint
