// OpenStack: what of an OpenStackCluster may still change depends on what was there.
#include "admission/edit.h"
#include "admission/pattern.h"
#include "admission/special.h"

namespace capwright::admission {
namespace {

// What may change in any case.
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

bool is_true(const Value& map, std::string_view path) {
  const Value* flag = find(map, path);
  return flag != nullptr && flag->is(Kind::Bool) && flag->as_bool();
}

std::string_view status_text(const Subject& subject, std::string_view path) { return text_at(subject.old(), path); }

class ClusterChange {
 public:
  explicit ClusterChange(Subject& subject)
      : subject_(subject), before_(*find(subject.old(), "spec")), now_(*find(subject.object(), "spec")) {}

  void check() {
    for (const std::string_view path : kFree) forget(path);
    forget_what_was_unset();
    forget_what_status_shows();
    // Security groups may become managed, but not unmanaged.
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
    if (!is_true(before_, "disableAPIServerFloatingIP")) return;
    if (text_at(before_, "apiServerFixedIP").empty()) forget("apiServerFixedIP");
    if (find(before_, "apiServerPort") == nullptr) forget("apiServerPort");
  }

  // Values that only say what the status already shows.
  void forget_what_status_shows() {
    const std::string_view address = status_text(subject_, "status.apiServerLoadBalancer.ip");
    if (!address.empty() && text_at(now_, "apiServerFloatingIP") == address) forget("apiServerFloatingIP");
    const std::string_view network = status_text(subject_, "status.network.id");
    if (!network.empty() && text_at(now_, "network.id") == network) forget("network");
  }

  Subject& subject_;
  Value before_, now_;
};

void check_cluster(Subject& subject) {
  const Value* before = find(subject.old(), "spec");
  const Value* now = find(subject.object(), "spec");
  if (subject.is_update() && before != nullptr && now != nullptr) ClusterChange(subject).check();
}

constexpr Special kSpecials[] = {{"OpenStackCluster", check_cluster, nullptr}};

}  // namespace

std::span<const Special> capo_specials() { return kSpecials; }

}  // namespace capwright::admission
