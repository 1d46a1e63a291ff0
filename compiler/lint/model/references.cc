// Tables of fields that name objects without their kind; all other references contain the kind.
#include "lint/model/references.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "diag/suggest.h"
#include "text/glob.h"

namespace capwright::lint {
namespace {

constexpr std::string_view kCapi = "cluster.x-k8s.io";

bool is_of_capi(std::string_view group) {
  return group == kCapi || (group.ends_with(kCapi) && group[group.size() - kCapi.size() - 1] == '.');
}

// A field that contains a name, and the kind of its target.
struct NamingField {
  std::string_view kind;
  Path field;
  std::string_view named;
};

constexpr NamingField kNamingFields[] = {
    {"AWSClusterStaticIdentity", "spec.secretRef", "Secret"},
    {"Cluster", "spec.topology.class", "ClusterClass"},
    {"Cluster", "spec.topology.classRef.name", "ClusterClass"},
    {"MachineDeployment", "spec.clusterName", "Cluster"},
    {"MachineDeployment", "spec.template.spec.clusterName", "Cluster"},
    {"MachineHealthCheck", "spec.clusterName", "Cluster"},
    {"MachinePool", "spec.clusterName", "Cluster"},
    {"MachinePool", "spec.template.spec.clusterName", "Cluster"},
    {"MachineSet", "spec.clusterName", "Cluster"},
    {"OpenStackMachineTemplate", "spec.template.spec.image.imageRef.name", "Image"},
    {"OpenStackMachineTemplate", "spec.template.spec.serverGroup.filter.name", "ServerGroup"},
};

// Keys anywhere in the objects of the OpenStack resource controller (ORC) that name another object.
struct OrcKey {
  std::string_view key, named;
};

constexpr std::string_view kOrc = "openstack.k-orc.cloud";
constexpr OrcKey kOrcKeys[] = {
    {"floatingNetworkRef", "Network"},
    {"floatingSubnetRef", "Subnet"},
    {"imageRef", "Image"},
    {"networkRef", "Network"},
    {"portRef", "Port"},
    {"projectRef", "Project"},
    {"routerRef", "Router"},
    {"secretName", "Secret"},
    {"securityGroupRefs", "SecurityGroup"},
    {"subnetRef", "Subnet"},
    {"volumeTypeRef", "VolumeType"},
};

// The credentials of OpenStack objects: a Secret, unless the reference sets another kind.
constexpr NamingField kOpenStackIdentities[] = {
    {"OpenStackCluster", "spec.identityRef", {}},
    {"OpenStackCluster", "spec.bastion.spec.identityRef", {}},
    {"OpenStackFloatingIPPool", "spec.identityRef", {}},
    {"OpenStackMachineTemplate", "spec.template.spec.identityRef", {}},
};

// The kind of a `{name}` below a key: `contentFrom.secret`, `authSecret`, `secretRef`. Empty: unknown.
std::string_view kind_below(std::string_view key) {
  for (const std::string_view end : {"Reference", "Ref"}) {
    if (key.ends_with(end)) key.remove_suffix(end.size());
  }
  if (key == "secret" || key.ends_with("Secret")) return "Secret";
  return key == "configMap" || key.ends_with("ConfigMap") ? "ConfigMap" : "";
}

void visit_name(const Object& from, const Node& name, std::string_view kind,
                const std::function<void(const Reference&)>& visit) {
  if (!name.text().empty()) visit({&from, name, name, {}, kind, name.text(), from.space()});
}

std::string_view group_of_reference(const Node& node) {
  if (const Node group = node["apiGroup"]) return group.text();
  const std::string_view version = node["apiVersion"].text();
  const std::size_t slash = version.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : version.substr(0, slash);
}

void visit_map(const Object& from, const Node& node, std::string_view kind,
               const std::function<void(const Reference&)>& visit) {
  const std::string_view space = node["namespace"].text();
  visit({&from, node, node["name"], group_of_reference(node), kind, node["name"].text(),
         space.empty() ? from.space() : space});
}

// Visits maps with a kind and a name, and maps with a name whose key determines the kind. Azure objects that are
// embedded in another object aren't references.
void walk(const Object& from, const Node& node, const std::function<void(const Reference&)>& visit) {
  if (is_reference(node)) return visit_map(from, node, node["kind"].text(), visit);
  for (const auto& [key, value] : node.members()) {
    const std::string_view named = kind_below(key);
    const bool names = !named.empty() && !value["name"].text().empty() && !value["kind"];
    if (names) visit_map(from, value, named, visit);
    else if (key == "dataSecretName") visit_name(from, value, "Secret", visit);
    else walk(from, value, visit);
  }
  for (const Node item : node.items()) {
    if (!item["metadata"]) walk(from, item, visit);
  }
}

void walk_orc(const Object& from, const Node& node, const std::function<void(const Reference&)>& visit) {
  for (const auto& [key, value] : node.members()) {
    const auto is_key = [key = key](const OrcKey& each) { return each.key == key; };
    const OrcKey* known = std::find_if(std::begin(kOrcKeys), std::end(kOrcKeys), is_key);
    if (known == std::end(kOrcKeys)) {
      walk_orc(from, value, visit);
      continue;
    }
    visit_name(from, value, known->named, visit);
    for (const Node item : value.items()) visit_name(from, item, known->named, visit);
  }
  for (const Node item : node.items()) walk_orc(from, item, visit);
}

// The name of the Secret or other object that `object` creates; empty if it creates none of that kind.
std::string_view made_by(const Object& object, std::string_view kind) {
  const auto or_own = [&](const Node& name) { return name.text().empty() ? object.name() : name.text(); };
  if (kind == "Secret" && object.kind() == "ExternalSecret") return or_own(object["spec.target.name"]);
  if (kind == "Secret" && object.kind() == "SealedSecret") return or_own(object["spec.template.metadata.name"]);
  if (kind == "ServerGroup" && object.kind() == "ServerGroup") return or_own(object["spec.resource.name"]);
  return object.kind() == kind ? object.name() : std::string_view();
}

// Kinds that a cluster's tree always contains; others, such as credentials and identities, may exist already.
bool is_of_the_tree(std::string_view kind) {
  return kind == "Cluster" || kind.ends_with("Cluster") || kind.ends_with("ControlPlane") ||
         kind.ends_with("Template") || kind.ends_with("MachinePool") || kind.ends_with("Config");
}

bool is_external(const Reference& reference, const Cluster& cluster) {
  const std::string name = fmt::format("{}/{}", reference.kind, reference.name);
  const auto& externals = cluster.context().externals;
  return std::any_of(externals.begin(), externals.end(),
                     [&](const std::string& glob) { return glob_matches(glob, name); });
}

constexpr std::string_view kMakers[] = {"ExternalSecret", "SealedSecret"};

template <class Visit>
void each_made(const Reference& reference, const Cluster& cluster, Visit visit) {
  const auto visit_all = [&](std::string_view kind) {
    for (const Object* object : cluster.of_kind(kind)) {
      const std::string_view name = made_by(*object, reference.kind);
      if (!name.empty()) visit(*object, name);
    }
  };
  visit_all(reference.kind);
  if (reference.kind == "Secret") std::for_each(std::begin(kMakers), std::end(kMakers), visit_all);
}

}  // namespace

bool is_reference(const Node& node) {
  if (!node.is(Kind::Map) || node["kind"].text().empty() || node["name"].text().empty()) return false;
  constexpr std::string_view kParts[] = {"apiGroup", "apiVersion", "kind", "name", "namespace", "uid", "fieldPath"};
  for (const auto& [key, value] : node.members()) {
    if (std::find(std::begin(kParts), std::end(kParts), key) == std::end(kParts)) return false;
  }
  return true;
}

namespace {

std::vector<Reference> find_references(const Object& from) {
  std::vector<Reference> references;
  const auto visit = [&](const Reference& reference) { references.push_back(reference); };
  for (const NamingField& field : kNamingFields) {
    if (field.kind == from.kind()) visit_name(from, from[field.field], field.named, visit);
  }
  for (const NamingField& field : kOpenStackIdentities) {
    if (field.kind != from.kind()) continue;
    const Node identity = from[field.field];
    const std::string_view type = identity["type"].text();
    const bool is_secret = type.empty() || type == "Secret";
    visit_name(from, identity["name"], is_secret ? "Secret" : "OpenStackClusterIdentity", visit);
  }
  if (is_of_capi(from.group())) walk(from, from["spec"], visit);
  if (from.group() == kOrc) walk_orc(from, from["spec"], visit);
  return references;
}

// An object that exists or is created by another object.
struct MadeObject {
  std::string_view kind, name;
  const Object* maker;

  std::pair<std::string_view, std::string_view> key() const { return {kind, name}; }
};

// By kind and name; among equals, an object of the kind itself comes first.
std::vector<MadeObject> index_made(const Cluster& cluster) {
  std::vector<MadeObject> made;
  made.reserve(cluster.objects().size());
  for (const Object* object : cluster.objects())
    made.push_back({object->kind(), made_by(*object, object->kind()), object});
  for (const std::string_view maker : kMakers) {
    for (const Object* object : cluster.of_kind(maker)) made.push_back({"Secret", made_by(*object, "Secret"), object});
  }
  std::stable_sort(made.begin(), made.end(),
                   [](const MadeObject& a, const MadeObject& b) { return a.key() < b.key(); });
  return made;
}

}  // namespace

const std::vector<Reference>& references_of(const Object& object) {
  static const std::vector<Reference> none;
  const auto names_something = [&](const NamingField& field) { return field.kind == object.kind(); };
  const bool may_have_any =
      is_of_capi(object.group()) || object.group() == kOrc ||
      std::any_of(std::begin(kNamingFields), std::end(kNamingFields), names_something) ||
      std::any_of(std::begin(kOpenStackIdentities), std::end(kOpenStackIdentities), names_something);
  return may_have_any ? object.memo(find_references) : none;
}

const Object* resolve(const Reference& reference, const Cluster& cluster) {
  if (reference.name.empty()) return nullptr;
  const std::vector<MadeObject>& made = cluster.memo(index_made);
  const std::pair key(std::string_view(reference.kind), std::string_view(reference.name));
  auto next = std::lower_bound(made.begin(), made.end(), key,
                               [](const MadeObject& each, const auto& wanted) { return each.key() < wanted; });
  const Object* found = nullptr;
  for (; next != made.end() && next->key() == key; ++next) {
    const Object* object = next->maker;
    const bool is_it = reference.group.empty() || object->kind() != reference.kind || object->group().empty() ||
                       object->group() == reference.group;
    if (!is_it) continue;
    // Prefers an object in the same namespace over one elsewhere.
    if (object->space() == reference.space) return object;
    if (found == nullptr) found = object;
  }
  return found;
}

Standing standing_of(const Reference& reference, const Cluster& cluster) {
  if (resolve(reference, cluster) != nullptr) return Standing::Present;
  if (is_external(reference, cluster)) return Standing::External;
  if (cluster.context().is_part) return Standing::Assumed;
  // A single manifest doesn't show which other objects exist, unless it contains one with a similar name.
  const bool is_whole = !cluster.of_kind("Cluster").empty();
  if (is_whole && is_of_the_tree(reference.kind)) return Standing::Missing;
  const std::vector<std::string_view> candidates = candidates_for(reference, cluster);
  return did_you_mean(reference.name, candidates).empty() ? Standing::Assumed : Standing::Missing;
}

std::vector<std::string_view> candidates_for(const Reference& reference, const Cluster& cluster) {
  std::vector<std::string_view> names;
  each_made(reference, cluster, [&](const Object&, std::string_view name) { names.push_back(name); });
  return names;
}

}  // namespace capwright::lint
