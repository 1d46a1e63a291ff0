// AWS: the names that its webhooks derive from an object's namespace and name.
#include <algorithm>
#include <string>

#include "admission/edit.h"
#include "admission/special.h"

namespace capwright::admission {
namespace {

// From these lengths on the name is a hash, which isn't computed here.
constexpr std::size_t kTooLongForCluster = 100, kTooLongForNodegroup = 64, kTooLongForProfile = 100;

Value with_eks_name(const Value& object, std::string_view path, std::size_t too_long, Arena& arena) {
  const std::string_view space = text_at(object, "metadata.namespace");
  std::string name(text_at(object, "metadata.name"));
  if (name.empty() || !text_at(object, path).empty()) return object;
  std::replace(name.begin(), name.end(), '.', '_');
  name = (space.empty() ? "default" : std::string(space)) + "_" + name;
  return name.size() < too_long ? with(object, path, make_string(arena, name), arena) : object;
}

constexpr Special kCapaSpecials[] = {
    {"AWSManagedControlPlane", nullptr,
     [](const Value& object, Arena& arena) {
       return with_eks_name(object, "spec.eksClusterName", kTooLongForCluster, arena);
     }},
    {"AWSManagedMachinePool", nullptr,
     [](const Value& object, Arena& arena) {
       return with_eks_name(object, "spec.eksNodegroupName", kTooLongForNodegroup, arena);
     }},
    {"AWSFargateProfile", nullptr,
     [](const Value& object, Arena& arena) {
       return with_eks_name(object, "spec.profileName", kTooLongForProfile, arena);
     }},
};

}  // namespace

std::span<const Special> capa_specials() { return kCapaSpecials; }

}  // namespace capwright::admission
