// OpenStack: which parts of an OpenStackCluster are immutable depends on the stored object.
#include <algorithm>

#include "admission/edit.h"
#include "admission/pattern.h"
#include "admission/special.h"

namespace capwright::admission {
namespace {

// Always mutable.
constexpr std::string_view kFree[] = {"identityRef",
                                      "bastion",
                                      "managedSecurityGroups.allNodesSecurityGroupRules",
                                      "managedSecurityGroups.clusterNodesSecurityGroupRules",
                                      "managedSecurityGroups.controlPlaneNodesSecurityGroupRules",
                                      "managedSecurityGroups.workerNodesSecurityGroupRules",
                                      "managedSecurityGroups.allowAllInClusterTraffic",
                                      "managedSubnets[].dnsNameservers",
                                      "apiServerLoadBalancer.allowedCIDRs",
                                      "apiServerLoadBalancer.monitor",
                                      "apiServer.managedLoadBalancer.allowedCIDRs",
                                      "apiServer.managedLoadBalancer.monitor",
                                      "primarySubnet",
                                      "controlPlaneAvailabilityZones",
                                      "controlPlaneOmitAvailabilityZone"};

bool is_set_to(bool wanted, const Value& map, std::string_view path) {
  const Value* flag = find(map, path);
  return flag != nullptr && flag->is(Kind::Bool) && flag->as_bool() == wanted;
}

// Whether a subnet is the same: one that a filter found, and that the status shows, may now be named by its ID.
bool is_same_subnet(const Value& before, const Value& now, std::span<const Value> shown) {
  const Value* filter = find(before, "filter");
  const std::string_view id = text_at(now, "id");
  const bool filtered = find(now, "filter") != nullptr;
  if (filter != nullptr && !id.empty() && !filtered) {
    return std::any_of(shown.begin(), shown.end(), [&](const Value& subnet) {
      return text_at(subnet, "name") == text_at(*filter, "name") && text_at(subnet, "id") == id;
    });
  }
  if (!text_at(before, "id").empty()) return !filtered && (id.empty() || id == text_at(before, "id"));
  return filter == nullptr || !filtered || text_at(before, "filter.name") == text_at(now, "filter.name");
}

class ClusterChange {
 public:
  explicit ClusterChange(Subject& subject)
      : subject_(subject), before_(*find(subject.old(), "spec")), now_(*find(subject.object(), "spec")) {}

  void check() {
    for (const std::string_view path : kFree) forget(path);
    forget_what_was_unset();
    forget_what_status_shows();
    // Management of security groups can be enabled, but not disabled.
    const bool removed =
        find(before_, "managedSecurityGroups") != nullptr && find(now_, "managedSecurityGroups") == nullptr;
    if (removed || !same(&before_, &now_)) subject_.refuse(crd::Reason::Forbidden, "spec", "cannot be modified");
  }

 private:
  void forget(std::string_view path) {
    before_ = without_all(before_, path, subject_.arena());
    now_ = without_all(now_, path, subject_.arena());
  }

  void forget_what_was_unset() {
    if (text_at(before_, "controlPlaneEndpoint.host").empty()) forget("controlPlaneEndpoint");
    if (is_set_to(true, before_, "disableAPIServerFloatingIP")) {
      forget_unset("apiServerFixedIP");
      forget_unset("apiServerPort");
    }
    if (is_set_to(false, before_, "apiServer.enableFloatingIP")) {
      forget_unset("apiServer.fixedIP");
      forget_unset("apiServer.port");
    }
  }

  void forget_unset(std::string_view path) {
    if (is_empty(find(before_, path))) forget(path);
  }

  // Ignores values that only repeat the status.
  void forget_what_status_shows() {
    forget_shown("apiServerFloatingIP", "status.apiServerLoadBalancer.ip");
    forget_shown("apiServer.floatingIP", "status.apiServerManagedLoadBalancer.ip");
    if (find(before_, "network") == nullptr || find(now_, "network") == nullptr) return;
    const auto shown = items_at(subject_.old(), "status.network.subnets");
    const auto before = items_at(before_, "subnets"), now = items_at(now_, "subnets");
    const auto same_subnet = [&](const Value& a, const Value& b) { return is_same_subnet(a, b, shown); };
    if (!shown.empty() && std::equal(before.begin(), before.end(), now.begin(), now.end(), same_subnet))
      forget("subnets");
    const std::string_view network = text_at(subject_.old(), "status.network.id");
    if (!network.empty() && text_at(now_, "network.id") == network) forget("network");
  }

  void forget_shown(std::string_view path, std::string_view status) {
    const std::string_view shown = text_at(subject_.old(), status);
    if (!shown.empty() && text_at(now_, path) == shown) forget(path);
  }

  Subject& subject_;
  Value before_, now_;
};

void check_openstack_cluster(Subject& subject) {
  const Value* before = find(subject.old(), "spec");
  const Value* now = find(subject.object(), "spec");
  if (subject.is_update() && before != nullptr && now != nullptr) ClusterChange(subject).check();
}

constexpr Special kCapoSpecials[] = {{"OpenStackCluster", check_openstack_cluster, nullptr}};

}  // namespace

std::span<const Special> capo_specials() { return kCapoSpecials; }

}  // namespace capwright::admission
