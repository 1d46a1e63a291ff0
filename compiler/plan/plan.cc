// Names of verbs and targets, and sums of machines.
#include "plan/plan.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace capwright::plan {
namespace {

constexpr std::array<std::string_view, 12> kVerbs{"delete", "orphan", "rejected", "blocked", "unknown",  "upgrade",
                                                  "roll",   "scale",  "create",   "sync",    "in-place", "no-op"};
constexpr std::array<std::string_view, 5> kTargets{"cluster", "control-plane", "pool", "release", "object"};

}  // namespace

MachineCount& MachineCount::operator+=(const MachineCount& other) {
  least += other.least;
  most = most && other.most ? std::optional(*most + *other.most) : std::nullopt;
  return *this;
}

std::string_view verb_name(Verb verb) { return kVerbs[static_cast<std::size_t>(verb)]; }

std::optional<Verb> verb_of(std::string_view name) {
  const auto found = std::find(kVerbs.begin(), kVerbs.end(), name);
  return found == kVerbs.end() ? std::nullopt : std::optional(static_cast<Verb>(found - kVerbs.begin()));
}

std::string text_of(const MachineCount& count) {
  if (!count.most) return fmt::format("{} or more", count.least);
  return count.is_exact() ? std::to_string(count.least) : fmt::format("{} to {}", count.least, *count.most);
}

std::string text_of(const Target& target) {
  switch (target.kind) {
    case Target::Kind::Cluster: return "cluster";
    case Target::Kind::ControlPlane: return "control plane";
    case Target::Kind::Pool: return "pool " + target.name;
    case Target::Kind::Release: return "add-on " + target.name;
    case Target::Kind::Object: break;
  }
  return target.object.empty() ? target.name : target.object + " " + target.name;
}

std::string_view target_name(Target::Kind kind) { return kTargets[static_cast<std::size_t>(kind)]; }

}  // namespace capwright::plan
